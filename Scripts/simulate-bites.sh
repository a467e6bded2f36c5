#!/usr/bin/env bash
# Plants each fault of Tests/Proofs/Planted/SYSTEM.json, and expects the simulation to find it.
#
#   Scripts/simulate-bites.sh "SYSTEM…" [SEEDS]
#
# A fault that is not found within SEEDS seeds, 300 by default, fails, and so does a system without faults. All are in one
# build, the one of Scripts/mutate.py.
set -eu
cd "$(dirname "$0")/.."
systems="${1:-beast jetstream transport}" seeds="${2:-300}"
faults=$(Scripts/mutate.py --plant)

# simulate FAULT SYSTEM SEEDS
simulate() {
    HELIUM_MUTANT=$1 .build-mutate/build/debug/TestProcess simulate "$2" --seeds "$3" --runs 1 2>&1 </dev/null || true
}

missed=() tried=0
for system in $systems; do
    # A seed must fail: that a kind of event never happened is not enough.
    before=$tried
    failure="^simulation: FAILED $system seed"
    if output=$(simulate "" "$system" 20) && grep "$failure" <<<"$output"; then
        echo "simulate-bites: error: $system fails without a fault" >&2
        exit 1
    fi
    while read -r of fault; do
        [ "$of" = "$system" ] || continue
        tried=$((tried + 1))
        output=$(simulate "$fault" "$system" "$seeds")
        if grep -q "$failure" <<<"$output"; then
            echo "simulate-bites: found $system/$fault: $(tail -n 1 <<<"$output" | cut -c 1-300)"
        else
            missed+=("$system/$fault")
            echo "simulate-bites: MISSED $system/$fault in $seeds seeds" >&2
        fi
    done <<<"$faults"
    [ "$tried" -gt "$before" ] || { echo "simulate-bites: error: Tests/Proofs/Planted has no fault of a system '$system'" >&2; exit 2; }
done
[ ${#missed[@]} -eq 0 ] || exit 1
