#!/usr/bin/env bash
# Builds one DocC archive per library from the modules that `swift build` left, with the toolchain's
# own tools: no plugin, and nothing is compiled a second time. DocC's warnings, such as a link that leads nowhere, are errors.
# Build first: comments are read from the sources, at the positions that they had when the modules were built.
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

failed=()
archives=()
for symbols in "$output/symbols"/*; do
    library=$(basename "$symbols")
    echo "docc convert $library"
    catalog=()
    if [ -d "Sources/$library/$library.docc" ]; then catalog=("Sources/$library/$library.docc"); fi
    log="$output/$library.log"
    if $docc convert ${catalog[@]+"${catalog[@]}"} --warnings-as-errors \
        --additional-symbol-graph-dir "$symbols" \
        --fallback-display-name "$library" --fallback-bundle-identifier "helium.$library" \
        --output-path "$output/$library.doccarchive" >"$log" 2>&1; then
        archives+=("$output/$library.doccarchive")
    else
        cat "$log" >&2
        failed+=("docc convert $library failed with $(grep -c '^error:' "$log" || true) errors; see above, or $log")
    fi
done

if [ ${#failed[@]} -gt 0 ]; then
    printf 'docs: error: %s\n' "${failed[@]}" >&2
    exit 1
fi
$docc merge "${archives[@]}" --output-path "$output/Helium.doccarchive"
printf 'docs: %d archives and %s/Helium.doccarchive, no warnings\n' "${#archives[@]}" "$output"
