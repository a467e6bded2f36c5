#!/usr/bin/env bash
# Prints the manifests and folders whose Swift files are ours, for the formatter. Packages are named by their parts: the
# formatter would walk into their build folders.
set -eu
cd "$(dirname "$0")/.."

printf '%s\n' Package.swift Sources
for folder in Examples Tests/Benchmarks Tests/Proofs Tests/Support Tests/Suites/*/; do
    folder=${folder%/}
    if [ ! -f "$folder/Package.swift" ]; then
        printf '%s\n' "$folder"
    elif [ -d "$folder/Sources" ]; then
        printf '%s\n' "$folder/Package.swift" "$folder/Sources"
    else
        printf '%s\n' "$folder/Package.swift" "$folder"/*/
    fi
done
