#!/usr/bin/env bash
# Simulates a system, seed after seed, in as many processes as there are processors.
#
#   Scripts/simulate.sh RUNNER SYSTEM FIRST COUNT
#
# Prints each seed that fails, and where its log is. Exits with 1 if one did.
set -eu
runner=$1 system=$2 first=$3 count=$4
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
share=$(((count + jobs - 1) / jobs))
logs=$(mktemp -d)
pids=()
for ((job = 0; job < jobs; job++)); do
    from=$((first + job * share))
    seeds=$((first + count - from < share ? first + count - from : share))
    [ "$seeds" -gt 0 ] || continue
    "$runner" "$system" --seed "$from" --seeds "$seeds" --runs 1 >"$logs/$job.log" 2>&1 &
    pids+=($!)
done
failures=0
for pid in "${pids[@]}"; do wait "$pid" || failures=$((failures + 1)); done
passed=$(cat "$logs"/*.log | grep -c '^simulation: passed' || true)
if [ "$failures" -gt 0 ]; then
    grep -h -v -e '^simulation: passed' -e '^simulation: counted' "$logs"/*.log >&2 || true
    echo "simulate: FAILED $system after $passed seeds; logs: $logs; replay one with SYSTEM=$system SEED=N" >&2
    exit 1
fi
rm -rf "$logs"
echo "simulate: passed $passed seeds of $system"
