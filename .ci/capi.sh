#!/usr/bin/env bash
# The door for C: its programs under valgrind and with the sanitizers, the requests of all doors through it; and, where cargo-c is
# installed, what `cargo cinstall` lays down: its size, pkg-config, CMake, static and shared. It runs behind the tests, which have built the
# shared library.
set -euo pipefail
cd "$(dirname "$0")/.."
built=$PWD/target/debug/deps/libspelunk_capi.so
if [[ ! -e $built ]]; then
    echo "the tests have not built $built"
    exit 1
fi
crate=$PWD/crates/spelunk-capi
work=$PWD/target/capi
rm -rf "$work"
mkdir -p "$work/lib"
ln -s "$built" "$work/lib/libspelunk.so"
ln -s "$built" "$work/lib/libspelunk.so.1"
cargo xtask samples "$work/samples" >/dev/null
compile() {
    local program=$1
    shift
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -g -I "$crate/include" "$crate/tests/c/$program.c" "$@" -lpthread
}
linked=(-L "$work/lib" -lspelunk -Wl,-rpath,"$work/lib")
run() {
    (cd "$work/samples" && rm -f busy.pipe red.nmo && "$@")
}

if ! command -v valgrind >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends valgrind libc6-dbg; } >/dev/null 2>&1 || true
fi
for program in functions misuse; do
    compile $program -o "$work/$program" "${linked[@]}"
    if command -v valgrind >/dev/null; then
        # Nothing that is lost, and nothing that may be: what statics hold at the end is theirs.
        run valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=definite,indirect,possible \
            --errors-for-leak-kinds=definite,indirect,possible "$work/$program"
    else
        echo "there is no valgrind: $program was not run in it" >&2
    fi
    compile $program -fsanitize=address,undefined -fno-sanitize-recover=all -o "$work/$program-checked" "${linked[@]}"
    run "$work/$program-checked"
done

compile door -O1 -o "$work/door" "${linked[@]}"
doors=(SPELUNK_CAPI="$work/door")
# Where Mono is: the library for C#, and its door.
rm -rf target/dotnet
bash .ci/dotnet.sh "$work/lib" "$work/samples"
if [[ -e target/dotnet/older/Door.exe ]]; then
    doors+=(SPELUNK_DOTNET="$PWD/target/dotnet/older/Door.exe" LD_LIBRARY_PATH="$work/lib")
fi
env "${doors[@]}" cargo test --workspace --test suite doors::every

if ! command -v cargo-cinstall >/dev/null; then
    echo "cargo-c is not installed: what it installs was not looked at"
    exit 0
fi
# As small as it is for engines.
(cd "$crate" && CARGO_TARGET_DIR=$PWD/../../target/cargo-c cargo cinstall --profile capi --no-default-features --prefix "$work/usr" --libdir lib)
library=$work/usr/lib/libspelunk.so.1
size=$(stat --dereference --format=%s "$library")
echo "$size bytes: $(readelf -d "$library" | grep SONAME)"
# Nothing large came into it unnoticed.
test "$size" -lt 16000000
export PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs spelunk)
"${CC:-cc}" -std=c11 "$crate/tests/c/guide.c" -o "$work/shared" "${flags[@]}" -Wl,-rpath,"$work/usr/lib"
run "$work/shared" >/dev/null
read -ra flags < <(pkg-config --static --libs spelunk)
# The archive in the place of the name, for which the linker would take the shared one.
"${CC:-cc}" -std=c11 -I "$work/usr/include" "$crate/tests/c/guide.c" -o "$work/static" \
    "${flags[@]/#-lspelunk/$work/usr/lib/libspelunk.a}"
run "$work/static" >/dev/null
if command -v cmake >/dev/null; then
    cmake -S "$crate/tests/cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$work/usr" >/dev/null
    cmake --build "$work/cmake" >/dev/null
    for program in shared static; do
        run "$work/cmake/$program" >/dev/null
    done
    run "$work/cmake/streaming" forest.snpak
else
    echo "there is no CMake: its package was not tried" >&2
fi
