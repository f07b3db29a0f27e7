#!/bin/sh
# Installs the agents that the tests behind the build tag e2e run into DIR, at the
# versions of package-lock.json, and prints the directory to put on PATH.
set -eu
if [ $# -ne 1 ]; then
	echo "usage: install.sh DIR" >&2
	exit 2
fi
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
mkdir -p -- "$1"
dir=$(CDPATH= cd -- "$1" && pwd)
cp -- "$here/package.json" "$here/package-lock.json" "$dir/"
cd -- "$dir"
npm ci --ignore-scripts --no-fund --no-audit --loglevel=error >&2
# Without its install step the package of claude holds a placeholder.
node node_modules/@anthropic-ai/claude-code/install.cjs >&2
bin=$dir/node_modules/.bin
for agent in claude codex; do
	HOME=$dir CODEX_HOME=$dir "$bin/$agent" --version >/dev/null 2>&1 || {
		echo "install.sh: $agent does not start" >&2
		exit 1
	}
done
printf '%s\n' "$bin"
