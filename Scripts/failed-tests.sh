#!/usr/bin/env bash
# Prints what failed in the log of a test run, without the thousands of lines of what passed.
#
#   Scripts/failed-tests.sh LOG
set -eu -o pipefail
log=$1
echo "test: error: failed:" >&2
# An issue's comments follow it on lines of their own. Known issues have another sign.
if ! grep -aE -A 6 '^✘ Test .*recorded an issue|^✘ (Test|Suite) .* failed|error: (Exited|.*signal)|Fatal error' "$log" \
    | grep -avE '^(◇|✔|--)' | tail -n 200 >&2; then
    echo "no failed test in $log; its end:" >&2
    tail -n 20 "$log" >&2
fi
