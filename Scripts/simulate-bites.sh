#!/usr/bin/env bash
# Plants each fault of Tests/Simulation/Planted in a copy of the sources, and expects the simulation to find it.
#
#   Scripts/simulate-bites.sh [SEEDS]
#
# A fault that is not found within SEEDS seeds, 300 by default, fails.
set -eu
cd "$(dirname "$0")/.."
seeds="${1:-300}"
copy=.build-bites/sources
rm -rf "$copy"
mkdir -p "$copy"
# With their times, so that only what has changed is built again.
tar -c --exclude './.build*' --exclude ./.git . | tar -x -C "$copy"
missed=()
for patch in Tests/Simulation/Planted/*.patch; do
    fault=$(basename "$patch" .patch)
    patch -s -p1 -d "$copy" <"$patch"
    swift build --package-path "$copy" --scratch-path .build-bites/build --product SimulationRunner
    if output=$(.build-bites/build/debug/SimulationRunner beast --seeds "$seeds" --runs 1 2>&1); then
        missed+=("$fault")
        echo "simulate-bites: MISSED $fault in $seeds seeds" >&2
    else
        echo "simulate-bites: found $fault: $(tail -n 1 <<<"$output")"
    fi
    patch -s -R -p1 -d "$copy" <"$patch"
done
[ ${#missed[@]} -eq 0 ] || exit 1
