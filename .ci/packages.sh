#!/usr/bin/env bash
# Packages for Debian and Fedora of the command that the demo built: they hold the same files, and what a package unpacks runs. It
# needs `cargo deb` and `cargo generate-rpm`.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath "${CARGO_TARGET_DIR:-target}")
quick=$target/archives/quick
rm -rf "$quick"
cargo xtask dist packages --quick
deb=("$quick"/*.deb)
rpm=("$quick"/*.rpm)
listed=$target/packages
rm -rf "$listed" && mkdir -p "$listed"
# Folders, what Debian asks for by itself, and where zsh has its completions are the distribution's own.
plain() {
    sed -e 's#^\.\?/##' -e 's#zsh/vendor-completions#zsh/site-functions#' | grep -v -e '/$' -e '^usr/share/doc/spelunk/copyright$' | sort
}
if ! command -v dpkg-deb >/dev/null; then
    echo "there is no dpkg-deb: packages were made and not looked into" >&2
    exit 0
fi
dpkg-deb --fsys-tarfile "${deb[0]}" | tar -t | plain >"$listed/deb"
for part in bin/spelunk share/man/man1/spelunk-ls.1.gz share/bash-completion/completions/spelunk share/zsh/site-functions/_spelunk \
    share/fish/vendor_completions.d/spelunk.fish share/mime/packages/spelunk.xml share/spelunk/spelunk.magic \
    share/doc/spelunk/THIRD-PARTY.md share/doc/spelunk/LICENSE-MIT share/doc/spelunk/licenses/zlib.txt; do
    grep -qx "usr/$part" "$listed/deb" || { echo "the package lacks /usr/$part" >&2; exit 1; }
done
if command -v rpm >/dev/null; then
    rpm --query --list --package "${rpm[0]}" | plain >"$listed/rpm"
    diff "$listed/deb" "$listed/rpm"
else
    echo "there is no rpm: its package was made and not looked into" >&2
fi
dpkg-deb --extract "${deb[0]}" "$listed/root"
"$listed/root/usr/bin/spelunk" --version
test "$(gzip -dc "$listed/root/usr/share/man/man1/spelunk-ls.1.gz")" = "$("$listed/root/usr/bin/spelunk" man ls)"
echo "$(wc -l <"$listed/deb") files in each package"
rm -r "$listed"
