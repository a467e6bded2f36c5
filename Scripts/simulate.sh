#!/usr/bin/env bash
# Simulates the engine, seed after seed, in as many processes as there are processors.
#
#   Scripts/simulate.sh RUNNER FIRST COUNT
#
# Prints each seed that fails, and where its log is. Exits with 1 if one did.
set -eu
runner=$1 first=$2 count=$3
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
share=$(((count + jobs - 1) / jobs))
logs=$(mktemp -d)
pids=()
for ((job = 0; job < jobs; job++)); do
    from=$((first + job * share))
    seeds=$((first + count - from < share ? first + count - from : share))
    [ "$seeds" -gt 0 ] || continue
    "$runner" beast --seed "$from" --seeds "$seeds" --runs 1 >"$logs/$job.log" 2>&1 &
    pids+=($!)
done
failures=0
for pid in "${pids[@]}"; do wait "$pid" || failures=$((failures + 1)); done
passed=$(cat "$logs"/*.log | grep -c '^simulation: passed' || true)
if [ "$failures" -gt 0 ]; then
    grep -h -v '^simulation: passed' "$logs"/*.log >&2 || true
    echo "simulate: FAILED after $passed seeds; logs: $logs; replay one with SEED=N" >&2
    exit 1
fi
rm -rf "$logs"
echo "simulate: passed $passed seeds"
