#!/usr/bin/env bash
# The door for C# and Unity: dotnet.sh LIBRARIES SAMPLES. LIBRARIES is a folder with libspelunk.so or libspelunk.so.1, SAMPLES one with a sample of
# every format. Built by mcs and tried under Mono, twice: as older and as newer Unity and .NET compile it. What is made is in target/dotnet.
set -euo pipefail
if (($# != 2)); then
    echo "usage: .ci/dotnet.sh LIBRARIES SAMPLES" >&2
    exit 2
fi
libraries=$(cd "$1" && pwd)
samples=$(cd "$2" && pwd)
cd "$(dirname "$0")/.."

json() {
    local found
    for found in /usr/lib/mono/gac/Newtonsoft.Json/*/Newtonsoft.Json.dll /usr/lib/cli/Newtonsoft.Json-*/Newtonsoft.Json.dll; do
        if [[ -f $found ]]; then
            echo "$found"
            return
        fi
    done
    return 1
}
is_there() {
    command -v mcs >/dev/null && command -v mono >/dev/null && json >/dev/null
}
if ! is_there; then
    packages=(mono-mcs mono-runtime libmono-system-core4.0-cil libnewtonsoft-json5.0-cil)
    as_root=()
    if [[ $(id -u) != 0 ]]; then
        as_root=(sudo -n)
    fi
    "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null 2>&1 || true
fi
if ! is_there; then
    echo "there is no Mono, and it could not be installed: the door for C# was not tried" >&2
    exit 0
fi

out=$PWD/target/dotnet
rm -rf "$out"
mkdir -p "$out/native/Linux/x86_64"
library=$libraries/libspelunk.so
if [[ ! -e $library ]]; then
    library=$libraries/libspelunk.so.1
fi
cp -L "$library" "$out/native/Linux/x86_64/libspelunk.so"
export LD_LIBRARY_PATH=$out/native/Linux/x86_64
newtonsoft=$(json)

dotnet/pack.sh "$out/package" "$out/native"

# The sources by hand stay short.
while read -r lines path; do
    if [[ $path != total && $path != */Generated.cs ]] && ((lines > 600)); then
        echo "$path has $lines lines" >&2
        exit 1
    fi
done < <(find dotnet -name '*.cs' -exec wc -l {} +)

# What is compiled with one set of symbols, and tried.
try() {
    local bin=$out/$1 compile
    shift
    mkdir -p "$bin"
    cp "$newtonsoft" "$bin"
    compile=(mcs -langversion:7.2 -warn:4 -warnaserror "$@" "-r:$newtonsoft" "-lib:$bin")
    "${compile[@]}" -unsafe -target:library "-out:$bin/Spelunk.Net.dll" dotnet/Spelunk.Net/*.cs
    "${compile[@]}" -target:library "-out:$bin/UnityStubs.dll" dotnet/tests/UnityStubs/*.cs
    # Fields that Unity fills in are never assigned here.
    compile+=(-r:Spelunk.Net.dll)
    "${compile[@]}" -nowarn:649 -target:library "-out:$bin/Spelunk.Unity.dll" -r:UnityStubs.dll dotnet/unity/Runtime/*.cs
    "${compile[@]}" -nowarn:649 -target:library "-out:$bin/Spelunk.Unity.Editor.dll" -r:UnityStubs.dll -r:Spelunk.Unity.dll \
        dotnet/unity/Editor/*.cs
    "${compile[@]}" -target:library "-out:$bin/Sample.dll" -r:UnityStubs.dll -r:Spelunk.Unity.dll dotnet/unity/Samples~/*/*.cs
    "${compile[@]}" -unsafe "-out:$bin/Spelunk.Tests.exe" -r:UnityStubs.dll -r:Spelunk.Unity.dll -r:Spelunk.Unity.Editor.dll \
        dotnet/tests/{Cases,Check,Program}.cs dotnet/tests/*Tests.cs
    "${compile[@]}" "-out:$bin/Door.exe" dotnet/tests/Door.cs
    "${compile[@]}" "-out:$bin/Guide.exe" dotnet/tests/Guide.cs
    timeout 600 mono --debug "$bin/Spelunk.Tests.exe" "$samples" "$out/package"
}
try older
try newer -d:NETSTANDARD2_1_OR_GREATER -d:UNITY_2020_2_OR_NEWER -d:UNITY_2021_2_OR_NEWER

# The guide has the program that was compiled, and shows what it prints.
block() {
    awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' docs/guides/dotnet.md
}
diff <(block csharp) dotnet/tests/Guide.cs
cp -R "$samples" "$out/guide"
diff <(block text) <(timeout 60 mono --debug "$out/older/Guide.exe" "$out/guide")

# The door answers line by line: a row, bytes, and what is no verb.
answers=$(printf '%s\n' "ls {\"file\":\"$samples/level.nmo\",\"limit\":1}" "cat {\"file\":\"$samples/level.nmo\",\"path\":\"#0\"}" 'lz {}' |
    timeout 60 mono --debug "$out/older/Door.exe")
grep -q '^{"code":0,"rows":\["{.*Wood_Texture.*}"\],"body":""}$' <<<"$answers"
grep -q '^{"code":0,"rows":\[\],"body":"0a1f0708[0-9a-f]*"}$' <<<"$answers"
grep -q '^{"code":2,"rows":\[\],"body":""}$' <<<"$answers"
test "$(wc -l <<<"$answers")" = 3
echo "the door for C# was tried with $(mono --version | head -1)"
