#!/usr/bin/env bash
# Builds one DocC archive per library from the modules that `swift build` left, with the toolchain's
# own tools: no plugin, and nothing is compiled a second time. Warnings are counted and shown.
set -eu
cd "$(dirname "$0")/.."

output=".build/docs"
rm -rf "$output"
mkdir -p "$output"

docc="docc"
if [ "$(uname -s)" = Darwin ]; then
    docc="xcrun docc"
else
    command -v docc >/dev/null || {
        echo "docs: error: no docc on PATH; it is in the toolchain's bin folder, beside swift" >&2
        exit 1
    }
fi
Scripts/symbols.sh "$output/symbols"

warnings=0
archives=()
for symbols in "$output/symbols"/*; do
    library=$(basename "$symbols")
    echo "docc convert $library"
    catalog=()
    if [ -d "Sources/$library/$library.docc" ]; then catalog=("Sources/$library/$library.docc"); fi
    log="$output/$library.log"
    if ! $docc convert ${catalog[@]+"${catalog[@]}"} \
        --additional-symbol-graph-dir "$symbols" \
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
