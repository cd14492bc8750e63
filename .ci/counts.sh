#!/usr/bin/env bash
# Instructions of the hot loops, against those that are kept. Building them takes minutes, so it is done where something of the libraries or of
# the loops has changed lately, or where SPELUNK_COUNTS asks for it.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${SPELUNK_COUNTS:-} && -z $(git log -1 --since='1 day ago' --format=%h -- crates/{spelunk-core,virtools,snpak,spellforce}/src benches fixtures/src Cargo.lock .ci/counts.sh) ]]; then
    echo "nothing that is counted has changed"
    exit 0
fi
if ! command -v valgrind >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind; } >/dev/null 2>&1 || true
fi
if ! command -v valgrind >/dev/null; then
    echo "there is no valgrind, and it could not be installed: instructions were not counted" >&2
    exit 0
fi
cargo run --quiet --release -p benches --no-default-features --bin counts
