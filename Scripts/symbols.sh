#!/usr/bin/env bash
# Writes the symbol graph of each library to OUTPUT/LIBRARY, from the modules that `swift build` left, with the toolchain's own
# tool: nothing is compiled a second time.
#
#   Scripts/symbols.sh OUTPUT
set -eu
cd "$(dirname "$0")/.."
output=$1

binaries=$(swift build --show-bin-path)
triple=$(swift -print-target-info | sed -n 's/.*"triple" *: *"\([^"]*\)".*/\1/p' | head -n 1)
rm -rf "$output"
mkdir -p "$output"

extract="swift-symbolgraph-extract"
extra=()
if [ "$(uname -s)" = Darwin ]; then
    extract="xcrun swift-symbolgraph-extract"
    extra+=(-sdk "$(xcrun --show-sdk-path)")
else
    # It is in the toolchain's bin folder, beside swift, of which PATH may have a link only.
    command -v "$extract" >/dev/null || extract="$(dirname "$(readlink -f "$(command -v swift)")")/$extract"
    command -v "$extract" >/dev/null || {
        echo "symbols: error: no swift-symbolgraph-extract on PATH or beside swift" >&2
        exit 1
    }
fi
# Modules of our C shims are described by maps that SwiftPM wrote while building them.
for map in "$binaries"/*.build/module.modulemap; do
    [ -e "$map" ] && extra+=(-Xcc "-fmodule-map-file=$map")
done
# Dependencies' C modules that bring a map of their own keep it in the checkout.
for map in .build/checkouts/*/Sources/*/module.modulemap .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ -e "$map" ] && extra+=(-Xcc "-fmodule-map-file=$PWD/$map")
done
for headers in Sources/*/include; do
    [ -d "$headers" ] && extra+=(-I "$headers")
done

# Products whose names begin with an underscore are no API.
libraries=$(swift package dump-package | python3 -c '
import json, sys
for product in json.load(sys.stdin)["products"]:
    if "library" in product["type"] and not product["name"].startswith("_"):
        print(product["name"])')
for library in $libraries; do
    mkdir -p "$output/$library"
    # A re-exported module that is no product has no archive of its own: its symbols are documented as the library's.
    reexported=$(find "Sources/$library" -maxdepth 1 -name "*.swift" -exec cat {} + | sed -n 's/^@_exported public import \([A-Za-z]*\)$/\1/p' |
        while read -r module; do
            [ ! -d "Sources/$module" ] || grep -qx "$module" <<<"$libraries" || echo "$module"
        done | paste -sd , -)
    $extract -module-name "$library" -target "$triple" -I "$binaries/Modules" -minimum-access-level public \
        ${reexported:+"-experimental-allowed-reexported-modules=$reexported"} \
        "${extra[@]}" -output-dir "$output/$library"
done
