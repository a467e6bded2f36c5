#!/usr/bin/env bash
# Prints the options of `swift build` that everything which is built into .build shares. With other options SwiftPM compiles
# all of it again.
#
# The fast ones are for builds of everything, as on CI: they leave out the index and the information for debuggers, and compile
# each module in one go, in place of some files at a time that all read the others. That takes half of the processor time.
# FAST=0 keeps all of it, and compiles only the files that a change affects. FAST=1 is fast. Without FAST it is as the last
# `make build` or `make build FAST=1` left it, and fast before the first: only these remember it.
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
[ "$fast" = 0 ] || {
    printf '%s ' --disable-index-store -debug-info-format none
    # SwiftPM expects an object file for each source file, which the compiler writes only if it has threads.
    printf -- '-Xswiftc %s ' -disable-batch-mode -whole-module-optimization -no-emit-module-separately-wmo -num-threads 2
    echo
}
