#!/usr/bin/env bash
# Prints the options of `swift build` that everything which is built into .build shares. With other options SwiftPM compiles
# all of it again.
#
# The fast ones leave out the index and the information for debuggers, which takes a fifth of the time of a build. FAST=0
# keeps both, FAST=1 leaves both out. Without FAST it is as `make build` or the last `make FAST=…` left it, and at first fast.
#
#   Scripts/build-flags.sh           prints the options
#   Scripts/build-flags.sh remember  also remembers FAST for later builds
set -eu
cd "$(dirname "$0")/.."

readonly full=.build/full-build
fast=${FAST:-$([ -e "$full" ] && echo 0 || echo 1)}
if [ "${1:-}" = remember ]; then
    mkdir -p .build
    if [ "$fast" = 0 ]; then touch "$full"; else rm -f "$full"; fi
fi
[ "$fast" = 0 ] || echo --disable-index-store -debug-info-format none
