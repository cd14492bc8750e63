#!/usr/bin/env bash
# The page in a browser. It takes minutes, so it runs where something of it or of the rows that it shows has changed lately, or where
# SPELUNK_PAGE_TESTS asks for it: as who changes this script should.
set -euo pipefail
cd "$(dirname "$0")/.."
checked=(page crates/spelunk-wasm crates/spelunk-view)
# Requests and rows; that there is another code is nothing to the page.
interface='-G"(type|properties|required|enum|const|[$]ref)"'
if [[ -z ${SPELUNK_PAGE_TESTS:-} ]] && ! bash .ci/changed.sh "${checked[@]}" &&
    ! bash .ci/changed.sh "$interface" crates/spelunk-cli/api.json; then
    echo "nothing of the page has changed"
    exit 0
fi
if ! command -v chromium >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null 2>&1 || true
fi
if ! command -v chromium >/dev/null; then
    echo "there is no Chromium, and it could not be installed: the page was not looked at" >&2
    exit 0
fi
cargo xtask page --quick
# The command takes the page in.
cargo build --workspace --bin spelunk
cargo xtask samples target/samples
cd page
npm run --silent types
npm test --silent
SPELUNK_PAGE=$PWD/../target/page SPELUNK_SAMPLES=$PWD/../target/samples SPELUNK_COMMAND=$PWD/../target/debug/spelunk \
    node --test --test-concurrency=2 browser/*.test.mjs
