#!/usr/bin/env bash
# Builds one DocC archive per library from the modules that `swift build` left, with the toolchain's
# own tools: no plugin, and nothing is compiled a second time. Warnings are counted and shown.
set -eu
cd "$(dirname "$0")/.."

binaries=$(swift build --show-bin-path)
triple=$(swift -print-target-info | sed -n 's/.*"triple" *: *"\([^"]*\)".*/\1/p' | head -n 1)
output=".build/docs"
rm -rf "$output"
mkdir -p "$output/symbols"

for tool in docc swift-symbolgraph-extract; do
    [ "$(uname -s)" = Darwin ] || command -v "$tool" >/dev/null || {
        echo "docs: error: no $tool on PATH; it is in the toolchain's bin folder, beside swift" >&2
        exit 1
    }
done
docc="docc"
extract="swift-symbolgraph-extract"
extra=()
if [ "$(uname -s)" = Darwin ]; then
    docc="xcrun docc"
    extract="xcrun swift-symbolgraph-extract"
    extra+=(-sdk "$(xcrun --show-sdk-path)")
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

libraries=$(sed -n 's/.*\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift)

warnings=0
archives=()
for library in $libraries; do
    echo "docc convert $library"
    mkdir -p "$output/symbols/$library"
    # A re-exported module that is no product has no archive of its own: its symbols are documented as the library's.
    reexported=$(cat Sources/"$library"/*.swift | sed -n 's/^@_exported public import \([A-Za-z]*\)$/\1/p' |
        while read -r module; do
            [ ! -d "Sources/$module" ] || grep -qx "$module" <<<"$libraries" || echo "$module"
        done | paste -sd , -)
    $extract -module-name "$library" -target "$triple" -I "$binaries/Modules" -minimum-access-level public \
        ${reexported:+"-experimental-allowed-reexported-modules=$reexported"} \
        "${extra[@]}" -output-dir "$output/symbols/$library"

    catalog=()
    if [ -d "Sources/$library/$library.docc" ]; then catalog=("Sources/$library/$library.docc"); fi
    log="$output/$library.log"
    if ! $docc convert ${catalog[@]+"${catalog[@]}"} \
        --additional-symbol-graph-dir "$output/symbols/$library" \
        --fallback-display-name "$library" --fallback-bundle-identifier "helium.$library" \
        --output-path "$output/$library.doccarchive" >"$log" 2>&1; then
        cat "$log" >&2
        echo "docs: error: docc failed for $library" >&2
        exit 1
    fi
    cat "$log"
    found=$(grep -c 'warning:' "$log" || true)
    warnings=$((warnings + found))
    archives+=("$output/$library.doccarchive")
done

$docc merge "${archives[@]}" --output-path "$output/Helium.doccarchive"
printf 'docs: %d archives and %s/Helium.doccarchive, %d warnings\n' "${#archives[@]}" "$output" "$warnings"
