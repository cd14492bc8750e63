#!/usr/bin/env bash
# Whether something of these paths has changed lately: since SPELUNK_SINCE, or else within four hours. What takes long and checks one
# part of the tree runs where that part has changed. With -GPATTERN before the paths only lines of that pattern count.
set -euo pipefail
cd "$(dirname "$0")/.."
lines=()
if [[ $1 == -G* ]]; then
    lines=("$1")
    shift
fi
test -n "$(git log -1 --since="${SPELUNK_SINCE:-4 hours ago}" --format=%h "${lines[@]}" -- "$@")"
