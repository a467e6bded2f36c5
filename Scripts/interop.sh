#!/usr/bin/env bash
# Holds Helium against software of others, on free ports of this machine: our client against httpbin, and the Python clients
# of App.net (adnpy) and of pnut.io (pnutpy) against our server. All come from PyPI into .build-interop. Prints where the two
# agree (Tests/Proofs/Sources/InteropRunner). Each part has a time limit. Needs python3 and, the first time, the network.
set -eu
cd "$(dirname "$0")/.."

readonly folder=.build-interop
# The longest time for each part, in seconds.
readonly limit=300
server=""

stop() {
    [ -z "$server" ] && return
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 130' INT TERM

# shellcheck disable=SC2046
Scripts/beside.sh Tests/Proofs build $(Scripts/build-flags.sh) --product InteropRunner
# shellcheck disable=SC2046
swift build $(Scripts/build-flags.sh) --product helium

if ! "$folder/venv/bin/python" -c 'import httpbin, gunicorn' 2>/dev/null; then
    echo "interop: installing httpbin from PyPI into $folder"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check httpbin gunicorn
fi

# Port 0 is a free one, which the log tells.
log="$folder/httpbin.log"
: >"$log"
"$folder/venv/bin/python" -m gunicorn --bind 127.0.0.1:0 --worker-class gthread --threads 32 --keep-alive 30 \
    --log-file "$log" --no-control-socket httpbin:app >>"$log" 2>&1 &
server=$!

url=""
for _ in $(seq 1 150); do
    url=$(sed -n 's/.*Listening at: \(http:[^ ]*\).*/\1/p' "$log" | head -n 1)
    if [ -n "$url" ] && grep -q 'Booting worker' "$log"; then break; fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.2
done
[ -n "$url" ] || { echo "interop: error: httpbin does not start:" >&2; cat "$log" >&2; exit 1; }

echo "interop: httpbin $("$folder/venv/bin/pip" --disable-pip-version-check list 2>/dev/null | sed -n 's/^httpbin *//p') at $url"
status=0
INTEROP_URL="$url" timeout "$limit" .build/debug/InteropRunner || status=$?
stop
server=""

if [ ! -f "$folder/adnpy-0.3.8.tar.gz" ] || ! "$folder/venv/bin/python" -c 'import requests, dateutil' 2>/dev/null; then
    echo "interop: getting adnpy from PyPI into $folder"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check requests python-dateutil setuptools
    # Its sources are Python 2 and are adapted when they are imported: nothing of it is installed.
    "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        --dest "$folder" adnpy==0.3.8
fi
if ! "$folder/venv/bin/python" -c 'import pnutpy' 2>/dev/null; then
    echo "interop: installing pnutpy from PyPI into $folder"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check pnutpy==0.5.4
fi

# Runs a client's checks against a new server, which is empty.
check() {
    local ready="$folder/ready.json"
    : >"$ready"
    .build/debug/helium serve --port 0 >"$ready" 2>"$folder/serve.log" &
    server=$!
    for _ in $(seq 1 150); do
        [ -s "$ready" ] && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.2
    done
    [ -s "$ready" ] || { echo "interop: error: helium serve does not start:" >&2; cat "$folder/serve.log" >&2; exit 1; }
    timeout "$limit" "$folder/venv/bin/python" -B "$@" <"$ready" || status=$?
    stop
    server=""
}

check Tests/Proofs/Sources/InteropRunner/adnpy/checks.py "$folder"
check Tests/Proofs/Sources/InteropRunner/pnutpy/checks.py
exit "$status"
