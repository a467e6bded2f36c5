#!/usr/bin/env bash
# Plants each fault of Tests/Simulation/Planted/SYSTEM in a copy of the sources, and expects the simulation to find it.
#
#   Scripts/simulate-bites.sh "SYSTEM..." [SEEDS]
#
# A fault that is not found within SEEDS seeds, 300 by default, fails.
set -eu
cd "$(dirname "$0")/.."
systems="${1:-beast jetstream}" seeds="${2:-300}"
copy=.build-bites/sources
rm -rf "$copy"
mkdir -p "$copy"
# With their times, so that only what has changed is built again.
tar -c --exclude './.build*' --exclude ./.git . | tar -x -C "$copy"
missed=()
for system in $systems; do
    for patch in "Tests/Simulation/Planted/$system"/*.patch; do
        fault="$system/$(basename "$patch" .patch)"
        patch -s -p1 -d "$copy" <"$patch"
        swift build --package-path "$copy" --scratch-path .build-bites/build --product SimulationRunner
        output=$(.build-bites/build/debug/SimulationRunner "$system" --seeds "$seeds" --runs 1 2>&1) || true
        # A seed must fail: that a kind of event never happened is not enough.
        if grep -q "^simulation: FAILED $system seed" <<<"$output"; then
            echo "simulate-bites: found $fault: $(tail -n 1 <<<"$output" | cut -c 1-300)"
        else
            missed+=("$fault")
            echo "simulate-bites: MISSED $fault in $seeds seeds" >&2
        fi
        patch -s -R -p1 -d "$copy" <"$patch"
    done
done
[ ${#missed[@]} -eq 0 ] || exit 1
