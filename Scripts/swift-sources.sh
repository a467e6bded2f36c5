#!/usr/bin/env bash
# Prints the manifests and folders whose Swift files are ours, for the formatter. Packages inside
# Tests are named by their parts: the formatter would walk into their build folders.
set -eu
cd "$(dirname "$0")/.."

printf '%s\n' Package.swift Sources Examples
for folder in Tests/*/; do
    folder=${folder%/}
    if [ -f "$folder/Package.swift" ]; then
        printf '%s\n' "$folder/Package.swift"
        if [ -d "$folder/Sources" ]; then printf '%s\n' "$folder/Sources"; fi
    else
        printf '%s\n' "$folder"
    fi
done
