#!/usr/bin/env bash
# Puts the Unity package together: pack.sh OUT [LIBRARIES]. OUT is a folder that is not there yet. LIBRARIES is a folder with native libraries at
# the paths that dotnet/unity/Plugins has .meta files for, such as Linux/x86_64/libspelunk.so; libraries that are not there are left out.
#
# The sources of Spelunk.Net are copied into the package, and each file gets the .meta file that Unity needs to know it by, with an id that
# follows from its path: it is the same in every package.
set -euo pipefail
if (($# < 1 || $# > 2)); then
    echo "usage: pack.sh OUT [LIBRARIES]" >&2
    exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
out=$1
libraries=${2:-}
if [[ -e $out ]]; then
    echo "$out is there already" >&2
    exit 1
fi
mkdir -p "$out/Runtime/Spelunk.Net"
cp -R "$here/unity/." "$out"
cp "$here"/Spelunk.Net/*.cs "$out/Runtime/Spelunk.Net"
# In Unity the tests of the library are not there, and the assembly has a file of its own that says what it is.
rm "$out/Runtime/Spelunk.Net/AssemblyInfo.cs"
mv "$out/Runtime/Spelunk.Net.asmdef" "$out/Runtime/Spelunk.Net/"
for licence in "$here"/../LICENSE-*; do
    cp "$licence" "$out/$(basename "$licence").md"
done
(
    cd "$out/Plugins"
    find . -name '*.meta' | while read -r meta; do
        library=${meta%.meta}
        if [[ -n $libraries && -f $libraries/$library ]]; then
            cp "$libraries/$library" "$library"
        else
            rm "$meta"
        fi
    done
    find . -depth -type d -empty -delete
)
id() {
    printf 'org.spelunk.unity/%s' "$1" | md5sum | cut -c1-32
}
cd "$out"
find . -mindepth 1 ! -name '*.meta' | sed 's,^\./,,' | while read -r path; do
    if [[ -e $path.meta || $path == 'Samples~' ]]; then
        continue
    fi
    {
        echo 'fileFormatVersion: 2'
        echo "guid: $(id "$path")"
        if [[ -d $path ]]; then
            printf 'folderAsset: yes\nDefaultImporter:\n  externalObjects: {}\n'
        else
            case $path in
            *.cs) printf 'MonoImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n' ;;
            *.asmdef) printf 'AssemblyDefinitionImporter:\n  externalObjects: {}\n' ;;
            package.json) printf 'PackageManifestImporter:\n  externalObjects: {}\n' ;;
            *.md | *.xml) printf 'TextScriptImporter:\n  externalObjects: {}\n' ;;
            *) printf 'DefaultImporter:\n  externalObjects: {}\n' ;;
            esac
        fi
        printf '  userData:\n  assetBundleName:\n  assetBundleVariant:\n'
    } >"$path.meta"
done
