#!/usr/bin/env bash
# Simulates systems, seed after seed, in as many processes as there are processors (Tests/Support/SimulationSupport).
#
#   Scripts/simulate.sh "SYSTEM…" FIRST COUNT   prints each seed that fails, and where its log is; exits with 1 if one did
#   Scripts/simulate.sh "SYSTEM…" SEED          simulates one seed twice and prints its trace
#
# CONFIGURATION=debug simulates with the program that the tests start: optimized code has other hops between actors, so a seed
# that failed there is repeated there.
set -eu
cd "$(dirname "$0")/.."
. Scripts/jobs.sh
systems=$1 first=$2 count=${3:-}
if [ "${CONFIGURATION:-release}" = debug ]; then
    # shellcheck disable=SC2046
    swift build --product TestProcess $(Scripts/build-flags.sh)
    runner=(.build/debug/TestProcess simulate)
else
    swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing \
        --product SimulationRunner
    runner=(.build-proofs/release/SimulationRunner)
fi

if [ -z "$count" ]; then
    for system in $systems; do "${runner[@]}" "$system" --seed "$first" --runs 2 --trace; done
    exit
fi

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
share=$(((count + jobs - 1) / jobs))

# simulate SYSTEM: all seeds of one system.
simulate() {
    local system=$1 logs job from seeds passed
    logs=$(mktemp -d)
    for ((job = 0; job < jobs; job++)); do
        from=$((first + job * share))
        seeds=$((first + count - from < share ? first + count - from : share))
        [ "$seeds" -gt 0 ] || continue
        start_job "${runner[@]}" "$system" --seed "$from" --seeds "$seeds" --runs 1 >"$logs/$job.log" 2>&1
    done
    wait_for_jobs
    passed=$(cat "$logs"/*.log | grep -c '^simulation: passed' || true)
    if [ "$job_failures" -gt 0 ]; then
        grep -h -v -e '^simulation: passed' -e '^simulation: counted' "$logs"/*.log >&2 || true
        echo "simulate: FAILED $system after $passed seeds; logs: $logs; replay one with SYSTEM=$system SEED=N" >&2
        return 1
    fi
    rm -rf "$logs"
    echo "simulate: passed $passed seeds of $system from $first on"
}

status=0
for system in $systems; do simulate "$system" || status=1; done
exit "$status"
