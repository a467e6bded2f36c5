#!/usr/bin/env bash
# Looks at a program that has Swift's runtime inside: what it links, its size, and that it calls.
#
#   Scripts/static.sh PROGRAM
set -eu
program=$1
libraries=$(ldd "$program")
if grep -E 'libswift|libFoundation|ICU|libsqlite3' <<<"$libraries"; then
    echo "static: error: $program links these dynamically" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cp "$program" "$folder/stripped"
strip "$folder/stripped"
# Any server does; Python has one.
echo content >"$folder/page"
python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder" >"$folder/log" 2>&1 &
server=$!
port=""
for _ in $(seq 100); do
    port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$folder/log")
    [ -z "$port" ] || break
    sleep 0.1
done
output=$("$folder/stripped" "http://127.0.0.1:$port" /page)
[ "$output" = "status 200: content" ] || {
    echo "static: error: the program printed \"$output\"" >&2
    exit 1
}
echo "static: $program: $(stat -c %s "$program") bytes, stripped $(stat -c %s "$folder/stripped") bytes, called a server"
