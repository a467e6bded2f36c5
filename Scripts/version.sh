#!/usr/bin/env bash
# Prints the version of this package, from its one home in the sources.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*static let current = "\([^"]*\)".*/\1/p' Sources/HeliumCore/Pipeline/HeliumVersion.swift)
[ -n "$version" ] || { echo "version: error: HeliumVersion.swift names no version" >&2; exit 1; }
printf '%s\n' "$version"
