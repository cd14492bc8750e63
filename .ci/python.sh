#!/usr/bin/env bash
# The package for Python: built as a wheel, installed where nothing else is, tested, its types checked; and the add-on in Blender. It takes
# a quarter of an hour, so it runs where something of it has changed lately, or where SPELUNK_PYTHON_TESTS asks for it.
set -euo pipefail
cd "$(dirname "$0")/.."
checked=(python .ci/python.sh docs/guides/{python,cluster}.md crates/spelunk-catalog/src crates/spelunk/src/file crates/spelunk-models/src/arrays.rs
    crates/spelunk-models/src/import/arrays.rs crates/spelunk-tables/src/rows.rs)
if [[ -z ${SPELUNK_PYTHON_TESTS:-} ]] && ! bash .ci/changed.sh "${checked[@]}"; then
    echo "nothing of the package for Python has changed"
    exit 0
fi
tools=$PWD/target/python/tools
wheels=$PWD/target/python/wheels
clean=$PWD/target/python/clean
rm -rf "$wheels" "$clean"
python3 -m venv "$tools"
if ! "$tools/bin/pip" install --quiet 'maturin>=1.16,<2' abi3audit; then
    echo "what builds the package could not be installed: it was not tried" >&2
    exit 0
fi
(cd python && CARGO_TARGET_DIR=$PWD/../target/python/build "$tools/bin/maturin" build --quiet --profile tried --out "$wheels")
# Nothing large came into it unnoticed; as it is released it is smaller.
test "$(stat --format=%s "$wheels"/*.whl)" -lt 20000000
# What is in the stable interface of Python is all that it uses.
"$tools/bin/abi3audit" --strict "$wheels"/*.whl
python3 -m venv "$clean"
"$clean/bin/pip" install --quiet "$wheels"/*.whl -r python/tests/requirements.txt
cargo xtask samples target/samples >/dev/null
export SPELUNK_SAMPLES=$PWD/target/samples
# From another folder, so that what is tested is what was installed.
(cd target && "$clean/bin/python" -m pytest -q --import-mode=importlib -p no:cacheprovider ../python/tests)
# Pages of the interface, of what the package says of itself.
(cd target && "$clean/bin/python" -m pdoc spelunk -o python/api)
# And with the newest Python that there is.
newer=
for python in python3.{12..15} "$(pyenv root 2>/dev/null)"/versions/3.1[2-9]*/bin/python3; do
    if "$python" -c 'import sys; assert sys.version_info[:2] > (3, 11)' 2>/dev/null; then
        newer=$python
    fi
done
if [[ -n $newer ]]; then
    "$newer" --version
    "$newer" -m venv --clear target/python/newer
    target/python/newer/bin/pip install --quiet "$wheels"/*.whl -r python/tests/requirements.txt
    # Ray was tried with the older one: it is what is slow here.
    (cd target && python/newer/bin/python -m pytest -q --import-mode=importlib -p no:cacheprovider ../python/tests \
        --ignore ../python/tests/test_ray.py)
else
    echo "there is no newer Python: the package was tried with $(python3 --version) alone" >&2
fi
# The same rows as those of the command.
SPELUNK_PYTHON=$clean/bin/python cargo test --workspace --test suite doors::
# Types: of the package and the tests, of the library against what is in it, and of requests against what verbs are asked.
(cd target && "$clean/bin/python" -m mypy.stubtest --allowlist ../python/tests/stubtest.txt spelunk._spelunk)
(cd python && "$clean/bin/python" -m mypy --no-incremental tests &&
    "$clean/bin/pyright" --pythonpath "$clean/bin/python" && "$clean/bin/python" tools/requests.py --check)
# Blender is a gigabyte, and has a numpy of its own: the oldest one that the add-on is for, and the newest.
added=(python/blender python/src/{arrays,buffer,edit,entries}.rs python/spelunk/_{arrays,edit,entries,scene,space}.py
    crates/spelunk-models/src)
if [[ -z ${SPELUNK_PYTHON_TESTS:-} ]] && ! bash .ci/changed.sh "${added[@]}"; then
    echo "nothing that the add-on for Blender needs has changed"
    exit 0
fi
if [[ -n ${SPELUNK_CI_ENDS:-} ]] && (($(date +%s) + 700 > SPELUNK_CI_ENDS)); then
    echo "there is no time for Blender in this run"
    exit 0
fi
for version in 4.2.23 5.0.1; do
    blender=$PWD/target/python/blender-$version
    python3 -m venv "$blender"
    if "$blender/bin/pip" install --quiet --force-reinstall "$wheels"/*.whl "bpy==$version" -r python/blender/tests/requirements.txt; then
        (cd target && "$blender/bin/python" -m pytest -q --import-mode=importlib -p no:cacheprovider ../python/blender/tests)
    else
        echo "Blender $version could not be installed: the add-on was not tried in it" >&2
    fi
done
