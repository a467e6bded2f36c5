#!/usr/bin/env bash
# Makes random calls and ends for ten minutes, and looks for leaks, hangs and lost completions (Tests/Proofs/Sources/SoakRunner).
#
# Then opens 100,000 WebSockets and ends them in every way: descriptors and threads must not leak.
#
# SOAK_SECONDS, SOAK_CONCURRENCY and SOAK_SEED change the length, the number of calls at once and the random numbers, SOAK_CONNECTS
# the number of WebSockets.
set -eu
cd "$(dirname "$0")/.."
swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing --product SoakRunner
exec .build-proofs/release/SoakRunner
