#!/usr/bin/env bash
# Measures `layover watch --once` beside ccusage and rg, on the same files in one go, and
# prints ratios. Every figure is the median of the rounds, which are interleaved.
# Usage: watch.sh [BYTES [FILES [ROUNDS]]]; node's npm, rg and GNU time are needed.
set -euo pipefail
cd "$(dirname "$0")/../.."
bytes=${1:-1073741824} files=${2:-200} rounds=${3:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CLAUDE_CONFIG_DIR=$work/data/claude CODEX_HOME=$work/data/codex

CGO_ENABLED=0 go build -ldflags='-s -w' -o "$work/layover" .
go run ./testdata/bench/corpus "$work/data" "$bytes" "$files"
npm install --silent --no-audit --no-fund --prefix "$work/npm" ccusage@20.0.24 @ccusage/ccusage-linux-x64@20.0.24 >/dev/null
ccusage=$work/npm/node_modules/@ccusage/ccusage-linux-x64/bin/ccusage
chmod +x "$ccusage"
export HOME=$work/home
mkdir -p "$HOME"

timed() { # timed NAME COMMAND…: adds wall and processor seconds and the peak in KiB
	/usr/bin/time -f '%e %U %S %M' -o "$work/time" "${@:2}" >"$work/$1.out"
	awk '{ print $1, $2 + $3, $4 }' "$work/time" >>"$work/$1"
}
needles=(-e '"rate_limit' -e '"status":429' -e 'hit your' -e 'usage limit' -e '"rejected"')
cat "$work"/data/*/*/*/*.jsonl >/dev/null 2>&1 || true # into the cache of the system

for round in $(seq "$rounds"); do
	timed ccusage "$ccusage" daily --offline --json
	rm -rf "$HOME/.cache"
	timed cold "$work/layover" watch --once --json --since 0
	timed rg rg -j1 -c "${needles[@]}" "$work/data"
	timed again "$work/layover" watch --once --json --since 0
	# One per cent more, in a twentieth of the sessions of Claude Code: other messages.
	find "$work/data/claude" -name '*.jsonl' | sort | awk 'NR % 20 == 1' >"$work/list"
	share=$((bytes / 100 / $(wc -l <"$work/list")))
	while read -r file; do
		head -c "$share" "$file" | sed '$d' | sed "s/\"msg_01/\"msg_$round/g" >"$work/tail"
		cat "$work/tail" >>"$file"
	done <"$work/list"
	timed more "$work/layover" watch --once --json --since 0
done
timed tokens "$ccusage" daily --offline --json

median() { # median NAME COLUMN
	sort -g -k"$2,$2" "$work/$1" | awk -v c="$2" '{ v[NR] = $c } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / (b > 0 ? b : .01) }'; }
printf '%-34s %8s %8s %9s\n' "$(du -sh "$work/data" | cut -f1) in $files files, $rounds rounds" wall cpu peak
for name in ccusage rg cold again more; do
	printf '%-34s %7ss %7ss %6s KiB\n' "$name" "$(median $name 1)" "$(median $name 2)" "$(median $name 3)"
done
echo
echo "cold:  $(ratio "$(median ccusage 1)" "$(median cold 1)") times as fast as ccusage, with 1/$(ratio "$(median ccusage 2)" "$(median cold 2)") of its processor time and 1/$(ratio "$(median ccusage 3)" "$(median cold 3)") of its memory; $(ratio "$(median cold 1)" "$(median rg 1)") times the time of rg -j1 -c"
echo "again: $(ratio "$(median ccusage 1)" "$(median again 1)") times as fast as ccusage, with nothing new"
echo "more:  $(ratio "$(median ccusage 1)" "$(median more 1)") times as fast as ccusage, with one per cent new"

sums() { node -e '
	const all = JSON.parse(require("fs").readFileSync(0, "utf8")), t = all.totals, u = all.usage
	console.log(t ? [t.inputTokens, t.outputTokens, t.cacheCreationTokens, t.cacheReadTokens].join(" ")
		: [u.input_tokens, u.output_tokens, u.cache_write_tokens, u.cache_read_tokens].join(" "))'; }
theirs=$(sums <"$work/tokens.out") ours=$(sums <"$work/more.out")
echo "tokens (in, out, cache written, cache read): ccusage $theirs, layover $ours"
[ "$theirs" = "$ours" ] || { echo "they differ"; exit 1; }
