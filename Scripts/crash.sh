#!/usr/bin/env bash
# Kills processes with MessageBeast, at each crash point and at random moments (Tests/Support/CrashSupport).
#
#   Scripts/crash.sh [--kills N] [--seed N] [--drain N]
set -eu
cd "$(dirname "$0")/.."
swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing --product CrashRunner
exec .build-proofs/release/CrashRunner "$@"
