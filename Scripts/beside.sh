#!/usr/bin/env bash
# Runs a command of SwiftPM for a package beside the root's (Examples, Tests/Proofs), with the modules that are built in .build.
#
#   Scripts/beside.sh PACKAGE COMMAND [ARGUMENT]…   such as: Scripts/beside.sh Examples run $(Scripts/build-flags.sh) ServiceClient
#
# The options must be those of the root's build. With others, everything is compiled again.
set -eu
cd "$(dirname "$0")/.."
package=$1 command=$2
shift 2
# The same versions of dependencies.
[ ! -f Package.resolved ] || cp Package.resolved "$package/Package.resolved"
# SwiftPM keeps the plan of a build in the folder, and would take that of another package for its own: it would build nothing.
forget() { rm -f .build/debug.yaml; }
trap forget EXIT
forget
swift "$command" --package-path "$package" --scratch-path .build "$@"
