#!/usr/bin/env bash
# Checks what the compiler does not: the format of the Swift sources, and that nothing is committed
# which belongs to one machine.
set -eu
cd "$(dirname "$0")/.."

failures=0
report() {
    printf 'lint: error: %s\n' "$*" >&2
    failures=$((failures + 1))
}

sources=()
while IFS= read -r source; do sources+=("$source"); done < <(Scripts/swift-sources.sh)
echo "swift format lint --strict --recursive --parallel ${sources[*]}"
swift format lint --strict --recursive --parallel "${sources[@]}" || report "the format differs; run: make format"

echo "Scripts/prose.py: comments, messages and pages"
python3 -B -m unittest discover --quiet --start-directory Tests/Suites/Scripts || report "the tests of the scripts fail"
python3 -B Scripts/prose.py || report "the text differs from its rules (CONTRIBUTING.md)"

echo "Scripts/locks.py: tasks that are resumed or cancelled under a lock"
python3 -B Scripts/locks.py || report "a resumption under a lock can deadlock with a cancellation (Docs/Internals.md)"

echo "Scripts/messages.py --check: messages and help"
python3 -B Scripts/messages.py --check || report "the messages differ; if that is meant, run: make messages"

echo "Scripts/mutate.py --list: mutations and planted faults"
python3 -B -m unittest discover --quiet --start-directory Tests/Proofs/Mutations || report "the tests of the mutations fail"
Scripts/mutate.py --list >/dev/null || report "a mutation does not fit the sources any more"

version=$(Scripts/version.sh)
echo "the version, $version, is semantic and in CHANGELOG.md"
echo "$version" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$' || report "HeliumVersion.current is \"$version\""
grep -qE "^## ${version//./\\.}( |$)|lead to is ${version//./\\.}\.$" CHANGELOG.md ||
    report "CHANGELOG.md has neither a section $version nor unreleased changes that lead to it"

if git rev-parse --git-dir >/dev/null 2>&1; then
    echo "git: no build output, lock file or machine path is committed"
    committed=$(git ls-files | grep -E '(^|/)(\.build[^/]*|\.swiftpm|DerivedData)/|(^|/)Package\.resolved$|\.swp$' || true)
    [ -z "$committed" ] || report "these do not belong in the repository: $committed"

    stat=$(git grep -nE '\b(stat\(\)|l?stat\(|fstat\(|realpath\(|getuid\(|geteuid\(|S_IF[A-Z]+|attributesOfItem)' -- 'Sources/*.swift' ':!Sources/HeliumFiles' || true)
    [ -z "$stat" ] || report "facts of files have their home in HeliumFiles: $stat"

    xctest=$(git grep -nE '^[[:space:]]*(@testable )?import XCTest' -- '*.swift' || true)
    [ -z "$xctest" ] || report "make test runs Swift Testing only: $xctest"

    # Home, work and build folders of whoever wrote it; the pattern is split so as not to find itself.
    paths=$(git grep -nIE '(^|[^A-Za-z0-9._~:/-])/(wor[k]|roo[t]|hom[e]|User[s])/[A-Za-z0-9._-]+' -- . || true)
    [ -z "$paths" ] || report "absolute paths of a machine: $paths"

    conflicts=$(git grep -nIE '^(<{7}|>{7}) ' -- . || true)
    [ -z "$conflicts" ] || report "conflict markers: $conflicts"
fi

if [ "$failures" -gt 0 ]; then
    printf 'lint: %d failed\n' "$failures" >&2
    exit 1
fi
echo "lint: clean"
