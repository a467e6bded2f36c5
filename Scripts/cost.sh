#!/usr/bin/env bash
# Measures what inputs of n, 2n and 4n bytes cost each parser (Tests/Support/FuzzSupport/Cost), in release mode: twice the length may
# cost 2.5 times as much. Then sends the largest bodies to every call of the local server (Tests/Support/CostSupport/LargestBodies.swift).
#
#   Scripts/cost.sh [--bytes N] [--only CASE]…
#
# N is 8192 unless --bytes says otherwise. The cost is the number of instructions, which valgrind counts; without valgrind
# it is processor time. The patterns are shared out over all processors.
set -eu
cd "$(dirname "$0")/.."
. Scripts/jobs.sh

swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing --product CostRunner

flags=(--bytes 8192 "$@")
if ! command -v valgrind >/dev/null 2>&1; then
    echo "cost: valgrind is missing: processor time is measured, which other processes disturb" >&2
    flags+=(--time)
fi
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
for ((part = 0; part < jobs; part++)); do
    start_job .build-proofs/release/CostRunner "${flags[@]}" --part "$part/$jobs"
done
wait_for_jobs
[ "$job_failures" -eq 0 ]
# Alone, because it measures time.
case " $* " in *" --only "*) ;; *) .build-proofs/release/CostRunner --largest ;; esac
