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
# Not npm ci: not every registry has the builds of opencode for all systems.
npm install --ignore-scripts --no-fund --no-audit --loglevel=error >&2
# Without their install steps the packages of claude and opencode hold placeholders.
node node_modules/@anthropic-ai/claude-code/install.cjs >&2
(cd node_modules/opencode-ai && node postinstall.mjs >&2)
bin=$dir/node_modules/.bin
for agent in claude codex gemini opencode; do
	HOME=$dir CODEX_HOME=$dir "$bin/$agent" --version </dev/null >/dev/null 2>&1 || {
		echo "install.sh: $agent does not start" >&2
		exit 1
	}
done
printf '%s\n' "$bin"
