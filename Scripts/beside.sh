#!/usr/bin/env bash
# Runs a command of SwiftPM for a package beside the root's (Examples, Tests/Proofs), with the modules that are built in .build.
#
#   Scripts/beside.sh PACKAGE COMMAND [ARGUMENT]…   such as: Scripts/beside.sh Examples run ServiceClient
set -eu
cd "$(dirname "$0")/.."
package=$1 command=$2
shift 2
# SwiftPM keeps the plan of a build in the folder, and would take that of another package for its own: it would build nothing.
forget() { rm -f .build/debug.yaml; }
trap forget EXIT
forget
# shellcheck disable=SC2046
swift "$command" --package-path "$package" --scratch-path .build $(Scripts/build-flags.sh) "$@"
