#!/usr/bin/env bash
# Tests Helium with software of others, on free ports of this machine: our client with httpbin and with Autobahn's suite of
# WebSocket cases, and the Python clients of App.net (adnpy) and of pnut.io (pnutpy) against our server. All come from PyPI into
# .build-interop. Prints where the two agree (Tests/Proofs/Sources/InteropRunner). Each part has a time limit. Needs python3 and, the
# first time, the network. Autobahn's suite needs Python 2.7 with pip, which INTEROP_PYTHON2 can name; without it that part is skipped.
set -eu
cd "$(dirname "$0")/.."

readonly folder=.build-interop
# The longest time for each part, in seconds. Autobahn's suite sends messages of up to 16 MiB, and waits in many of its 500 cases.
readonly limit=300
readonly autobahn_limit=1800
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

# Port 0 is a free one, which the log names.
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

# A Python 2.7 that runs and has pip. A shim of pyenv may be there and start none.
python2() {
    local candidate
    for candidate in ${INTEROP_PYTHON2:+"$INTEROP_PYTHON2"} python2.7 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/2.7*/bin/python2.7; do
        if "$candidate" -c 'import pip, sys; sys.exit(sys.version_info[:2] != (2, 7))' >/dev/null 2>&1; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# Runs Autobahn's cases against our client, or says why not.
autobahn() {
    local python port log="$PWD/$folder/autobahn.log"
    python=$(python2) || { echo "interop: autobahn: skipped: no Python 2.7 with pip is here"; return; }
    # The folder of a user's packages is ours.
    export PYTHONUSERBASE="$PWD/$folder/autobahn" PYTHONDONTWRITEBYTECODE=1
    if ! "$python" -c 'import autobahntestsuite, twisted' 2>/dev/null; then
        echo "interop: installing autobahntestsuite from PyPI into $folder"
        if ! "$python" -m pip install --user --quiet --disable-pip-version-check --no-warn-script-location \
            autobahntestsuite==25.10.1 >"$log" 2>&1; then
            cat "$log" >&2
            echo "interop: autobahn: skipped: autobahntestsuite cannot be installed"
            return
        fi
    fi
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    rm -rf "$folder/autobahn-reports"
    cat >"$folder/autobahn.json" <<END
{"url": "ws://127.0.0.1:$port", "outdir": "$PWD/$folder/autobahn-reports", "cases": ["*"], "exclude-cases": [], "exclude-agent-cases": {}}
END
    "$python" -m autobahntestsuite.wstest -m fuzzingserver -u 0 -s "$folder/autobahn.json" >"$log" 2>&1 &
    server=$!
    for _ in $(seq 1 150); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
        kill -0 "$server" 2>/dev/null || { echo "interop: error: wstest does not start:" >&2; cat "$log" >&2; status=1; return; }
        sleep 0.2
    done
    INTEROP_AUTOBAHN_URL="ws://127.0.0.1:$port" INTEROP_AUTOBAHN_REPORT="$folder/autobahn-reports/index.json" \
        timeout "$autobahn_limit" .build/debug/InteropRunner || status=$?
    stop
    server=""
}

autobahn
exit "$status"
