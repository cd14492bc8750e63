#!/usr/bin/env bash
# Instructions of the hot loops, against those that are kept.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v valgrind >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind >/dev/null
fi
cargo run --quiet --release -p benches --no-default-features --bin counts
