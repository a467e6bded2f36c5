#!/usr/bin/env bash
# Prints the options of `swift build` that everything which is built into .build shares. With other options SwiftPM compiles
# all of it again.
#
# The fast ones are for builds of everything, as on CI: they leave out the index and the information for debuggers, and compile
# each module in one go, in place of some files at a time that all read the others. That takes half of the processor time. The
# compiler does not verify its own output either, which takes another 6 % of a module of tests.
# FAST=0 keeps all of it, and compiles only the files that a change affects. FAST=1 is fast. Without FAST it is as the last
# `make build` or `make build FAST=1` left it, and fast before the first: only these remember it.
#
#   Scripts/build-flags.sh                prints the options
#   Scripts/build-flags.sh remember       also remembers FAST for later builds
#   Scripts/build-flags.sh whole-modules  prints only those that compile each module in one go, for builds in other folders whose
#                                         reports name lines
set -eu
cd "$(dirname "$0")/.."

# SwiftPM expects an object file for each source file, which the compiler writes only if it has threads.
whole_modules=$(printf -- '-Xswiftc %s ' -disable-batch-mode -whole-module-optimization -no-emit-module-separately-wmo -num-threads 2)
readonly whole_modules
if [ "${1:-}" = whole-modules ]; then
    echo "$whole_modules"
    exit
fi

readonly full=.build/full-build
fast=${FAST:-$([ -e "$full" ] && echo 0 || echo 1)}
if [ "${1:-}" = remember ]; then
    mkdir -p .build
    if [ "$fast" = 0 ]; then touch "$full"; else rm -f "$full"; fi
fi
[ "$fast" = 0 ] || {
    echo "--disable-index-store -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify $whole_modules"
}
