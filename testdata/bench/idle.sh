#!/usr/bin/env bash
# Measures what `layover watch` costs that watches 10,000 files: while nothing happens,
# beside a program that looks at each of them once a second, and at 1,000 lines a second.
# Usage: idle.sh [SECONDS]; it fails above 32 MB of resident memory.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-30}
work=$(mktemp -d)
mine=()
end() {
	for pid in "${mine[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap end EXIT
CGO_ENABLED=0 go build -ldflags='-s -w' -o "$work/layover" .
go build -o "$work/lines" ./testdata/bench/lines
"$work/lines" "$work/data" files 10000

spent() { cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum / 1000 }'; } # µs
share() { awk -v us="$1" -v s="$2" 'BEGIN { printf "%.4f", us / s / 10000 }'; }

HOME=$work/home "$work/layover" watch --headless --since 0 "$work/data" >"$work/out" &
watcher=$!
mine+=("$watcher")
for _ in $(seq 300); do # until all have been read, and what that took has been given back
	[ "$(wc -l <"$work/out")" -ge 10000 ] && break
	sleep 0.1
done
sleep 6
before=$(spent "$watcher")
sleep "$seconds"
idle=$(($(spent "$watcher") - before))
resident=$(awk '/VmRSS/ { print $2 }' "/proc/$watcher/status")
echo "idle, 10,000 files: $(share "$idle" "$seconds") % of a core over $seconds s, $resident KiB resident"

(while :; do find "$work/data" -name '*.jsonl' -newer "$work/layover" -size +1G; sleep 1; done) &
mine+=("$!")
poller=$!
sleep 3
before=$(awk '{ print $16 + $17 + $14 + $15 }' "/proc/$poller/stat")
sleep 5
polled=$(($(awk '{ print $16 + $17 + $14 + $15 }' "/proc/$poller/stat") - before))
echo "find, once a second: $(share "$((polled * 10000))" 5) % of a core"
kill "$poller"

"$work/lines" "$work/data" rate 1000 14 &
mine+=("$!")
sleep 3
before=$(spent "$watcher")
sleep 10
busy=$(($(spent "$watcher") - before))
echo "1,000 lines a second over 20 files: $(share "$busy" 10) % of a core"
[ "$resident" -lt 32768 ] || { echo "more than 32 MB are resident"; exit 1; }
