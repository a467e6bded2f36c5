#!/usr/bin/env bash
# Lists what Tests/Suites/Consumer, a package that uses the client without any trait, had to fetch, and fails if that is not what
# the client needs: the server, the engines, the tool, the macros and the service need more. Fails too if SwiftNIO or BoringSSL is
# in the program, or if swift-syntax was compiled, which takes minutes: only those who use Jetstream compile it.
#
#   Scripts/consumer-packages.sh SCRATCH_PATH
set -eu
cd "$(dirname "$0")/.."

# Before its version 1.7 swift-distributed-tracing needs swift-service-context.
readonly needed="swift-distributed-tracing swift-http-types swift-log swift-metrics swift-service-context"
[ -e "$1/workspace-state.json" ] || { echo "consumer: error: nothing was fetched into $1" >&2; exit 1; }

# The packages of the last build: others of earlier builds may lie beside them. Helium itself is of the kind fileSystem.
fetched=$(awk '/"identity"/ { name = $3 } /"kind"/ && !/fileSystem/ { gsub(/[",]/, "", name); print name }' \
    "$1/workspace-state.json" | sort -u)
echo "consumer: fetched $(echo "$fetched" | wc -l) packages:" $fetched
for package in $fetched; do
    if ! grep -qw -- "$package" <<<"$needed"; then
        echo "consumer: error: $package was fetched, which the client does not need" >&2
        exit 1
    fi
done

for program in "$1"/*/debug/Consumer; do
    [ -e "$program" ] || { echo "consumer: error: no program was built in $1" >&2; exit 1; }
    if nm "$program" | grep -m 1 -E 'NIOCore|NIOPosix|BoringSSL'; then
        echo "consumer: error: $program has SwiftNIO or BoringSSL inside, which the client does not need" >&2
        exit 1
    fi
done

objects=$(find "$1/" -name '*.o' \( -path '*/SwiftSyntax*.build/*' -o -path '*/SwiftParser*.build/*' \) -print)
if [ -n "$objects" ]; then
    echo "consumer: error: swift-syntax was compiled, which the client does not need: ${objects%%$'\n'*}" >&2
    exit 1
fi
