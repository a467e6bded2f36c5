#!/usr/bin/env bash
# Shows ConAir's page in Chromium and checks it (Tests/Proofs/Sources/BrowserRunner). The screenshots are in .build/browser.
#
#   Scripts/browser.sh [TEXT]   only the checks whose names contain TEXT
#
# Needs Debian's chromium and chromium-driver: `Scripts/setup.sh browser` installs them. Whatever happens, the browser has
# ended when this ends.
set -eu
cd "$(dirname "$0")/.."

readonly pictures=.build/browser
# The longest time for all checks, in seconds; each has a shorter limit of its own.
readonly limit=900
driver=""
checks=""
folder=$(mktemp -d)

finish() {
    [ -z "$checks" ] || kill "$checks" 2>/dev/null || true
    if [ -n "$driver" ]; then
        # chromedriver leads a process group of its own, in which all processes of the browser are.
        kill -KILL -- "-$driver" 2>/dev/null || true
        wait "$driver" 2>/dev/null || true
    fi
    # Processes that have just ended may still be writing.
    rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# shellcheck disable=SC2046
Scripts/beside.sh Tests/Proofs build $(Scripts/build-flags.sh) --product BrowserRunner

rm -rf "$pictures"
mkdir -p "$pictures"
log="$pictures/chromedriver.log"
# Port 0 is a free one, which the log names. Profiles and sockets go to a folder that is removed.
TMPDIR=$folder setsid chromedriver --port=0 >"$log" 2>&1 &
driver=$!
port=""
for _ in $(seq 1 150); do
    port=$(sed -n 's/^ChromeDriver was started successfully on port \([0-9]*\)\.$/\1/p' "$log")
    [ -n "$port" ] && break
    kill -0 "$driver" 2>/dev/null || break
    sleep 0.2
done
[ -n "$port" ] || { echo "browser: error: chromedriver does not start:" >&2; cat "$log" >&2; exit 1; }

status=0
BROWSER_DRIVER="http://127.0.0.1:$port" BROWSER_PICTURES="$pictures" BROWSER_ONLY="${1:-}" \
    timeout "$limit" .build/debug/BrowserRunner &
checks=$!
# Not in the foreground: a signal would be noticed only after the checks.
wait "$checks" || status=$?
checks=""
[ "$status" -ne 124 ] || echo "browser: error: no end after $limit s" >&2
exit "$status"
