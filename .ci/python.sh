#!/usr/bin/env bash
# The package for Python: built as a wheel, installed where nothing else is, tested, and its types checked. It takes ten minutes, so it
# runs where something of it has changed lately, or where SPELUNK_PYTHON_TESTS asks for it.
set -euo pipefail
cd "$(dirname "$0")/.."
checked=(python .ci/python.sh docs/guides/python.md crates/spelunk/src/file crates/spelunk-models/src/arrays.rs
    crates/spelunk-models/src/import/arrays.rs crates/spelunk-tables/src/rows.rs)
if [[ -z ${SPELUNK_PYTHON_TESTS:-} && -z $(git log -1 --since='1 day ago' --format=%h -- "${checked[@]}") ]]; then
    echo "nothing of the package for Python has changed"
    exit 0
fi
tools=$PWD/target/python/tools
wheels=$PWD/target/python/wheels
rm -rf "$wheels" target/python/clean
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet 'maturin>=1.16,<2' abi3audit
(cd python && CARGO_TARGET_DIR=$PWD/../target/python/build "$tools/bin/maturin" build --quiet --profile tried --out "$wheels")
# What is in the stable interface of Python is all that it uses.
"$tools/bin/abi3audit" --strict "$wheels"/*.whl
# An environment for each Python that there is, of those that the wheel is for.
cargo xtask samples target/samples >/dev/null
for python in python3.11 python3.12 python3.13 python3.14 python3; do
    command -v "$python" >/dev/null || continue
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    clean=$PWD/target/python/clean/$version
    [[ -d $clean ]] && continue
    "$python" -m venv "$clean"
    "$clean/bin/pip" install --quiet "$wheels"/*.whl -r python/tests/requirements.txt
    echo "-- Python $version"
    (cd target && SPELUNK_SAMPLES=$PWD/samples "$clean/bin/python" -m pytest -q --import-mode=importlib -p no:cacheprovider ../python/tests)
done
# Types: those of the package, of the tests, and of the library against what is in it.
cd python
"$clean/bin/python" -m mypy --no-incremental tests
"$clean/bin/python" -m mypy.stubtest --allowlist tests/stubtest.txt spelunk._spelunk
"$clean/bin/pyright" --pythonpath "$clean/bin/python"
