#!/usr/bin/env bash
# Lists what Tests/Suites/Consumer, a package that uses the client without the traits Server, MessageBeast, CommandLineTool and
# Jetstream, had to fetch, and fails if something is among it that only the server, the engines, the tool or the macros need.
# Fails too if swift-syntax was compiled, which takes minutes: only those who use Jetstream compile it.
#
#   Scripts/consumer-packages.sh SCRATCH_PATH
set -eu
cd "$(dirname "$0")/.."

readonly forbidden="hummingbird grdb.swift swift-argument-parser swift-syntax swift-nio-http2 swift-nio-extras swift-crypto
    swift-certificates swift-asn1 async-http-client swift-configuration"
[ -d "$1/checkouts" ] || { echo "consumer: error: nothing was fetched into $1" >&2; exit 1; }

# The name of a checkout is the package's identity, but for the case of its letters.
fetched=$(ls "$1/checkouts" | tr '[:upper:]' '[:lower:]')
size=$(du -sk "$1/checkouts" | cut -f 1)
echo "consumer: fetched $(echo "$fetched" | wc -l) packages, $((size / 1024)) MB of sources:" $fetched
for package in $forbidden; do
    if echo "$fetched" | grep -qx "$package"; then
        echo "consumer: error: $package was fetched, which the client does not need" >&2
        exit 1
    fi
done

objects=$(find "$1/" -name '*.o' \( -path '*/SwiftSyntax*.build/*' -o -path '*/SwiftParser*.build/*' \) -print)
if [ -n "$objects" ]; then
    echo "consumer: error: swift-syntax was compiled, which the client does not need: ${objects%%$'\n'*}" >&2
    exit 1
fi
