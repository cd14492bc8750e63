#!/usr/bin/env bash
# Files on servers that others wrote: moto, which speaks as S3 does, and nginx, which sends ranges, over TLS too; and what the guide on
# catalogues shows, in DuckDB, Polars and Spark. It takes minutes, and what it installs is half a gigabyte, so it runs where something of it has
# changed lately, or where SPELUNK_REMOTE_TESTS asks for it.
set -euo pipefail
cd "$(dirname "$0")/.."
checked=(crates/spelunk-remote .ci/remote .ci/remote.sh .ci/catalog/recipes.py docs/guides/catalog.md crates/spelunk-catalog/src/schema.rs)
if [[ -z ${SPELUNK_REMOTE_TESTS:-} ]] && ! bash .ci/changed.sh "${checked[@]}"; then
    echo "nothing that real servers are asked for has changed"
    exit 0
fi
target=${CARGO_TARGET_DIR:-$PWD/target}
# One has the store, the other what reads catalogues.
tools=$target/remote/tools/store
readers=$target/remote/tools/readers
if ! command -v nginx >/dev/null; then
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light; } >/dev/null 2>&1 || true
fi
if ! command -v nginx >/dev/null || ! command -v openssl >/dev/null; then
    echo "nginx and openssl are not there, and could not be installed: no real server was asked" >&2
    exit 0
fi
if [[ ! -x $tools/bin/moto_server ]]; then
    if ! { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet 'moto[s3,server]>=5.1,<6'; }; then
        echo "moto could not be installed: no real server was asked" >&2
        exit 0
    fi
fi
work=$(mktemp -d)
moto=
# Only what was started here ends.
clean() {
    if [[ -n $moto ]]; then kill "$moto" 2>/dev/null || true; fi
    if [[ -s $work/nginx.pid ]]; then kill "$(cat "$work/nginx.pid")" 2>/dev/null || true; fi
    rm -rf "$work"
}
trap clean EXIT
# No server but these is asked, whatever the environment says.
for name in $(compgen -e | grep -iE '^(AWS_|.*_PROXY$)'); do unset "$name"; done
read -r http https s3 < <(python3 -c '
import socket
all = [socket.socket() for _ in range(3)]
for one in all: one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in all))')
export AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=hush AWS_REGION=us-east-1
export AWS_ENDPOINT=http://127.0.0.1:$s3 AWS_ALLOW_HTTP=true

cargo build --workspace --bin spelunk
cargo xtask samples "$work/files/samples" >/dev/null
# Real files take half an hour more.
if [[ ${SPELUNK_REMOTE_TESTS:-} == corpus && -d ${SPELUNK_CORPUS:-} ]]; then
    cp -r "$SPELUNK_CORPUS" "$work/files/corpus"
fi
chmod -R a+rX "$work"
# In order but for who signed it: itself, by a name that nobody else has.
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=nobody knows this one" \
    -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
cat >"$work/nginx.conf" <<NGINX
pid $work/nginx.pid;
error_log $work/error.log;
$([[ $(id -u) == 0 ]] && echo "user root;")
events {}
http {
    access_log $work/access.log combined;
    client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
    server {
        listen 127.0.0.1:$http;
        listen 127.0.0.1:$https ssl;
        ssl_certificate $work/certificate.pem;
        ssl_certificate_key $work/key.pem;
        root $work;
    }
}
NGINX
nginx -e "$work/error.log" -c "$work/nginx.conf"
"$tools/bin/moto_server" -H 127.0.0.1 -p "$s3" >"$work/moto.log" 2>&1 &
moto=$!
"$tools/bin/python" .ci/remote/put.py "$work/files" files

# What takes time says how long it took.
timed() {
    local name=$1 started=$SECONDS
    shift
    "$@"
    echo "$name: $((SECONDS - started)) s in all"
}
# Every request that reads, of every file, and every one that writes a new one.
parity=(cargo test --workspace --test suite)
"${parity[@]}" --no-run
export SPELUNK_SERVED=$work/files SPELUNK_SERVED_AT="http://127.0.0.1:$http/files/ s3://files/"
timed "all doors" "${parity[@]}" doors::real_servers_give_what_the_disk_gives -- --exact --nocapture
timed "a large pack, and a store" \
    "$tools/bin/python" .ci/remote/check.py "$target/debug/spelunk" "$work" "http://127.0.0.1:$http" "https://127.0.0.1:$https"

# The packages are wanted one by one: where some are not to be had, the others are tried all the same.
python3 -m venv "$readers"
if ! "$readers/bin/pip" install --quiet 'duckdb==1.4.4' 'polars>=1,<3'; then
    echo "DuckDB and Polars could not be installed: nothing but the tests read a catalogue" >&2
    exit 0
fi
# This one is for the very version above.
"$readers/bin/pip" install --quiet 'duckdb-ext-httpfs==1.4.4.20260205' || true
if command -v java >/dev/null; then
    "$readers/bin/pip" install --quiet 'pyspark>=4,<5' || true
fi
timed "what the guide on catalogues shows" \
    "$readers/bin/python" .ci/catalog/recipes.py "$target/debug/spelunk" "$work/files" "http://127.0.0.1:$http/files"
