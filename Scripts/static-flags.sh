#!/usr/bin/env bash
# Prints the options of `swift build` for a program that has Swift's runtime inside and takes little memory. On other
# systems than Linux, Swift's runtime belongs to the system, and there are none.
set -eu
[ "$(uname -s)" = Linux ] || exit 0
options=(--static-swift-stdlib)
# The default linker writes the places that hold addresses of the program itself as a table of 24 bytes for each, all of
# which the loader reads: a megabyte here. LLVM's linker, which every toolchain of Swift has, writes bit maps (DT_RELR), which
# need glibc 2.36.
options+=(-Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
# Swift's list of static libraries exports every symbol, for which a program without plug-ins has no use.
options+=(-Xlinker --no-export-dynamic)
echo "${options[@]}"
