#!/usr/bin/env bash
# Lists what Tests/Suites/Consumer, a package that uses the client without any trait, had to fetch, and fails if that is not exactly
# what the client needs: the server, the engines, the tool, the macros and the service need more. Fails too if SwiftNIO, BoringSSL
# or a use of libnghttp2 is in one of its programs, or if swift-syntax was compiled, which takes minutes: only those who use
# Jetstream compile it.
#
#   Scripts/consumer-packages.sh SCRATCH_PATH
set -eu
cd "$(dirname "$0")/.."

readonly needed="swift-distributed-tracing swift-http-types swift-log swift-metrics"
# The targets of Tests/Suites/Consumer. The first uses most products, and each other one.
readonly programs="Consumer CosmProgram AppNetProgram ConAirProgram JetstreamCoreProgram"
[ -e "$1/workspace-state.json" ] || { echo "consumer: error: nothing was fetched into $1" >&2; exit 1; }

# The packages of the last build: others of earlier builds may lie beside them. Helium itself is of the kind fileSystem.
fetched=$(awk '/"identity"/ { name = $3 } /"kind"/ && !/fileSystem/ { gsub(/[",]/, "", name); print name }' \
    "$1/workspace-state.json" | sort -u)
echo "consumer: fetched $(echo "$fetched" | wc -l) packages:" $fetched
# Before its version 1.7 swift-distributed-tracing needs swift-service-context, which is inside it since.
expected=$(tr ' ' '\n' <<<"$needed")
if difference=$(diff <(echo "$expected") <(grep -vx swift-service-context <<<"$fetched")); then :; else
    echo "consumer: error: the client needs exactly these packages: $needed (> is too much, < is missing):" >&2
    grep '^[<>]' <<<"$difference" >&2
    exit 1
fi

for name in $programs; do
    for program in "$1"/*/debug/"$name"; do
        [ -e "$program" ] || { echo "consumer: error: $name was not built in $1" >&2; exit 1; }
        symbols=$(nm "$program")
        # Without its symbols a program would hide what is inside.
        grep -q HeliumCurl <<<"$symbols" || { echo "consumer: error: $program has no symbols" >&2; exit 1; }
        if grep -m 1 -E 'NIO(Core|Posix|SSL|TLS|HTTP1|WebSocket|ConcurrencyHelpers)|BoringSSL' <<<"$symbols"; then
            echo "consumer: error: $program has SwiftNIO or BoringSSL inside, which the client does not need" >&2
            exit 1
        fi
        if grep -m 1 nghttp2_ <<<"$symbols"; then
            echo "consumer: error: $program uses libnghttp2, which the client does not need without the trait HTTP2" >&2
            exit 1
        fi
    done
done

objects=$(find "$1/" -name '*.o' \( -path '*/SwiftSyntax*.build/*' -o -path '*/SwiftParser*.build/*' \) -print)
if [ -n "$objects" ]; then
    echo "consumer: error: swift-syntax was compiled, which the client does not need: ${objects%%$'\n'*}" >&2
    exit 1
fi
