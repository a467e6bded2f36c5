#!/usr/bin/env bash
# Builds with the oldest dependencies that Package.swift allows, and runs the tests that start no server. Each dependency is
# pinned to its declared version; where that cannot be fetched, to the lowest one that can. Packages that come along with them
# are pinned to the lowest version that their dependents accept, if more than one can be fetched. Says what was not tried.
set -eu
cd "$(dirname "$0")/.."

readonly folder=.build-oldest
readonly package=$folder/package
mkdir -p "$package"
# A package of its own with our folders: the manifest alone differs.
for name in Sources Tests Fixtures README.md Docs; do ln -sfn "../../$name" "$package/$name"; done
ln -sfn ../../.swift-format "$package/.swift-format" 2>/dev/null || true

# lowest URL FLOOR: the lowest version that can be fetched, no lower than FLOOR and with the same first number.
lowest() {
    git ls-remote --tags --refs "$1" | sed -n 's|.*refs/tags/v\{0,1\}\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\)$|\1|p' |
        sort -V | awk -v floor="$2" 'BEGIN { split(floor, f, ".") }
            { split($0, v, ".") }
            v[1] == f[1] && (v[2] > f[2] || (v[2] == f[2] && v[3] >= f[3])) { print; exit }'
}

cp Package.swift "$package/Package.swift"
untried=0
while read -r url floor; do
    version=$(lowest "$url" "$floor")
    [ -n "$version" ] || { echo "oldest: error: no version of $url from $floor on can be fetched" >&2; exit 1; }
    if [ "$version" = "$floor" ]; then
        echo "oldest: $(basename "$url") $version"
    else
        echo "oldest: $(basename "$url") $version (the declared $floor cannot be fetched here: not tried)"
        untried=$((untried + 1))
    fi
    sed -i.before -e "s|\"$url\", from: \"$floor\"|\"$url\", exact: \"$version\"|" \
        -e "s|\"$url\", \"$floor\"\.\.<\"[0-9.]*\"|\"$url\", exact: \"$version\"|" "$package/Package.swift"
done < <(sed -n -e 's|.*\.package(url: "\([^"]*\)", from: "\([^"]*\)").*|\1 \2|p' \
    -e 's|.*\.package(url: "\([^"]*\)", "\([0-9.]*\)"\.\.<"[0-9.]*").*|\1 \2|p' Package.swift)

# What comes along: swift-crypto has two first numbers that swift-certificates takes, and the lower one is not the default.
crypto=https://github.com/apple/swift-crypto.git
version=$(lowest "$crypto" 3.12.3)
if [ -n "$version" ]; then
    echo "oldest: swift-crypto $version, for swift-certificates"
    sed -i.before "s|^    dependencies: \[\$|&\n        .package(url: \"$crypto\", exact: \"$version\"),|" "$package/Package.swift"
fi
rm -f "$package/Package.swift.before"

build=(--package-path "$package" --scratch-path "$folder/build")
rm -f "$package/Package.resolved"
swift package "${build[@]}" resolve
swift build "${build[@]}" --build-tests
swift test "${build[@]}" --skip-build --no-parallel --disable-xctest --enable-swift-testing \
    --filter 'HeliumFilesTests|HeliumJSONTests|HeliumCryptoTests|HeliumCoreTests|JetstreamMacrosTests'
echo "oldest: built and tested; $untried of the declared versions could not be fetched here"
