#!/usr/bin/env bash
# Makes this machine able to build and test Helium: finds out what is missing, installs it where it
# may, and otherwise prints the one command that would. A second run installs nothing.
#
#   Scripts/setup.sh            what building, testing and the demo need
#   Scripts/setup.sh bench      the same, and what Tests/Benchmarks needs (nginx, Go)
#   Scripts/setup.sh browser    the same, and what the checks in a browser need (Chromium and its driver)
set -eu

readonly minimum_swift="6.2"
readonly minimum_curl="7.80.0" # CURLOPT_PREREQFUNCTION, on which the delivery state rests.

say() { printf 'setup: %s\n' "$*"; }

fail() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# at_least 7.88.1 7.80.0: true when the first version is no lower than the second.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

check_swift() {
    has swift || fail "no 'swift' on PATH. Helium needs Swift $minimum_swift or newer: https://www.swift.org/install"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [ -n "$version" ] || fail "'swift --version' names no version; Helium needs Swift $minimum_swift or newer."
    at_least "$version" "$minimum_swift" ||
        fail "Swift $version is too old; Helium needs $minimum_swift or newer: https://www.swift.org/install"
}

check_libcurl() {
    local version
    version=$(pkg-config --modversion libcurl 2>/dev/null) ||
        fail "pkg-config finds no libcurl although its development files should be there by now."
    at_least "$version" "$minimum_curl" ||
        fail "libcurl $version is too old; Helium needs $minimum_curl or newer (CURLOPT_PREREQFUNCTION)."
}

installed() { [ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null || true)" = "install ok installed" ]; }

setup_debian() {
    # Each package is asked for only when what it provides is missing: a libcurl built from source,
    # or pkgconf in place of pkg-config, is as good.
    local missing=""
    has pkg-config || missing="$missing pkg-config"
    if has pkg-config; then
        pkg-config --exists libcurl || missing="$missing libcurl4-openssl-dev"
        pkg-config --exists libssl libcrypto || missing="$missing libssl-dev"
        pkg-config --exists sqlite3 || missing="$missing libsqlite3-dev"
        pkg-config --exists zlib || missing="$missing zlib1g-dev"
        # The trait HTTP2.
        pkg-config --exists libnghttp2 || missing="$missing libnghttp2-dev"
    else
        for package in libcurl4-openssl-dev libssl-dev libsqlite3-dev zlib1g-dev libnghttp2-dev; do
            installed "$package" || missing="$missing $package"
        done
    fi
    has openssl || missing="$missing openssl"
    # It runs the tests (Scripts/test.py) and checks the text.
    has python3 || missing="$missing python3"
    # It counts the instructions that inputs cost (Tests/Support/CostSupport).
    has valgrind || missing="$missing valgrind"
    [ -e /etc/ssl/certs/ca-certificates.crt ] || missing="$missing ca-certificates"
    if [ "$1" = bench ]; then
        has nginx || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
        # net/http is a peer.
        has go || missing="$missing golang-go"
    fi
    if [ "$1" = browser ]; then
        has chromium || missing="$missing chromium"
        has chromedriver || missing="$missing chromium-driver"
        # A browser without fonts draws boxes.
        [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || missing="$missing fonts-dejavu-core"
    fi

    if [ -z "$missing" ]; then
        say "nothing is missing"
        return
    fi

    local install="apt-get update && apt-get install -y --no-install-recommends$missing"
    local as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if has sudo && sudo -n true 2>/dev/null; then
            as_root="sudo -n"
        else
            local run_as="su -c"
            if has sudo; then run_as="sudo sh -c"; fi
            fail "missing:$missing. No right to install here; run this, then try again:
    $run_as '$install'"
        fi
    fi
    say "installing$missing"
    $as_root env DEBIAN_FRONTEND=noninteractive sh -c "$install" </dev/null ||
        fail "the installation failed; this is what was run as root:
    $install"
}

# The charts of ConAir's page: without it the page shows a picture, so this goes on whatever happens.
setup_dygraphs() {
    [ -e /usr/share/javascript/dygraphs/dygraph.min.js ] && return
    local as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        as_root="sudo -n"
        has sudo && sudo -n true 2>/dev/null || as_root=""
        if [ -z "$as_root" ]; then
            say "without dygraphs (no right to install libjs-dygraphs): the page of a series shows a picture"
            return
        fi
    fi
    say "installing libjs-dygraphs"
    $as_root env DEBIAN_FRONTEND=noninteractive sh -c \
        "apt-get install -y --no-install-recommends libjs-dygraphs ||
            { apt-get update && apt-get install -y --no-install-recommends libjs-dygraphs; }" </dev/null ||
        say "libjs-dygraphs can't be installed: the page of a series shows a picture"
}

setup_macos() {
    has brew ||
        fail "Homebrew is missing (https://brew.sh); with it, run: brew install curl openssl@3 libnghttp2 pkg-config"
    local missing="" formulae="curl openssl@3 libnghttp2 pkgconf"
    # Apple's command line tools have one too.
    has python3 || formulae="$formulae python3"
    [ "$1" = bench ] && formulae="$formulae nginx"
    for formula in $formulae; do
        brew list --versions "$formula" >/dev/null 2>&1 || missing="$missing $formula"
    done
    # Homebrew belongs to the user, who may not want formulae installed behind their back.
    [ -z "$missing" ] || fail "missing:$missing. Run this, then try again: brew install$missing"
    # curl and openssl@3 are keg-only: pkg-config needs their paths.
    for formula in curl openssl@3; do
        PKG_CONFIG_PATH="$(brew --prefix "$formula")/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
    done
    export PKG_CONFIG_PATH
    say "nothing is missing"
}

purpose="${1:-build}"
case "$purpose" in
    build | bench | browser) ;;
    *) fail "unknown purpose '$purpose' (build, bench or browser)" ;;
esac

check_python() {
    has python3 || fail "no 'python3' on PATH. Helium's tests need Python 3.9 or newer: https://www.python.org/downloads"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' ||
        fail "$(python3 --version) is too old; Helium's tests need 3.9 or newer: https://www.python.org/downloads"
}

check_swift
case "$(uname -s)" in
    Darwin) setup_macos "$purpose" ;;
    Linux)
        if has apt-get && has dpkg-query; then
            setup_debian "$purpose"
            setup_dygraphs
        else
            say "no apt-get here: libcurl (OpenSSL flavour), libnghttp2, OpenSSL 3, SQLite 3, zlib, pkg-config and" \
                "Python 3 must be present"
        fi
        ;;
    *) fail "$(uname -s) is not supported: Linux and macOS are." ;;
esac
check_python
check_libcurl
