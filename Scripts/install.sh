#!/usr/bin/env bash
# Installs the tool below a prefix: the stripped binary, completions for bash, zsh and fish, the manual page, and the
# licenses of what is linked into the binary.
#
#   Scripts/install.sh install BINARY PREFIX
#   Scripts/install.sh uninstall PREFIX
#   Scripts/install.sh check PREFIX            fails unless what is installed works
set -eu
cd "$(dirname "$0")/.."

readonly bash_completion=share/bash-completion/completions/helium
readonly zsh_completion=share/zsh/site-functions/_helium
readonly fish_completion=share/fish/vendor_completions.d/helium.fish
readonly manual=share/man/man1/helium.1
readonly licenses=share/doc/helium
readonly files="bin/helium $bash_completion $zsh_completion $fish_completion $manual"

fail() {
    printf 'install: error: %s\n' "$*" >&2
    exit 1
}

temporary=""
clean() { [ -z "$temporary" ] || rm -rf "$temporary"; }
trap clean EXIT

strip_symbols() {
    if ! command -v strip >/dev/null 2>&1; then
        echo "install: no strip on PATH: the binary keeps its symbols"
    elif [ "$(uname -s)" = Darwin ]; then
        strip -Sx "$1" && codesign --force --sign - "$1"
    else
        strip "$1"
    fi
}

put_licenses() {
    local target=$1 checkout name file
    mkdir -p "$target"
    install -m 644 LICENSE "$target/LICENSE"
    for checkout in .build/checkouts/*/; do
        name=$(basename "$checkout")
        for file in "$checkout"LICENSE* "$checkout"NOTICE*; do
            [ -f "$file" ] || continue
            install -m 644 "$file" "$target/$name-$(basename "$file")"
        done
    done
}

install_tool() {
    local binary=$1 prefix=$2 file
    [ -x "$binary" ] || fail "there is no $binary: build it first"
    # Everything is made in a folder of its own first: a failure leaves what is installed as it was.
    temporary=$(mktemp -d)
    for file in $files; do mkdir -p "$temporary/$(dirname "$file")"; done
    cp "$binary" "$temporary/bin/helium"
    strip_symbols "$temporary/bin/helium"
    "$temporary/bin/helium" --generate-completion-script bash >"$temporary/$bash_completion"
    "$temporary/bin/helium" --generate-completion-script zsh >"$temporary/$zsh_completion"
    "$temporary/bin/helium" --generate-completion-script fish >"$temporary/$fish_completion"
    "$temporary/bin/helium" manual >"$temporary/$manual"
    put_licenses "$temporary/$licenses"
    for file in $files $(cd "$temporary" && find "$licenses" -type f | LC_ALL=C sort); do
        mkdir -p "$prefix/$(dirname "$file")"
        if [ "$file" = bin/helium ]; then mode=755; else mode=644; fi
        install -m "$mode" "$temporary/$file" "$prefix/$file"
        echo "install: $prefix/$file"
    done
}

uninstall_tool() {
    local prefix=$1 file
    for file in $files; do rm -f "$prefix/$file"; done
    rm -rf "${prefix:?}/$licenses"
    # Folders that are empty now were made for these files, or are of no use to others either.
    for file in $files "$licenses"; do
        (cd "$prefix" 2>/dev/null && rmdir -p "$(dirname "$file")" 2>/dev/null) || true
    done
    echo "install: removed from $prefix"
}

check_tool() {
    local prefix=$1 expected version file
    expected="helium $(Scripts/version.sh)"
    # Without the environment of whoever builds: no toolchain is needed to run it.
    version=$(env -i PATH=/usr/bin:/bin "$prefix/bin/helium" --version) || fail "$prefix/bin/helium does not run"
    [ "$version" = "$expected" ] || fail "$prefix/bin/helium is \"$version\", not \"$expected\""
    for file in $files; do [ -s "$prefix/$file" ] || fail "$prefix/$file is missing or empty"; done
    bash -n "$prefix/$bash_completion" || fail "the completion for bash is invalid"
    bash -c 'source "$1" && complete -p helium >/dev/null' - "$prefix/$bash_completion" ||
        fail "the completion for bash completes nothing"
    if command -v zsh >/dev/null 2>&1; then zsh -n "$prefix/$zsh_completion" || fail "the completion for zsh is invalid"; fi
    if command -v fish >/dev/null 2>&1; then
        fish --no-execute "$prefix/$fish_completion" || fail "the completion for fish is invalid"
    fi
    grep -q '^#compdef helium' "$prefix/$zsh_completion" || fail "the completion for zsh is for another command"
    grep -q 'complete .*helium' "$prefix/$fish_completion" || fail "the completion for fish is for another command"
    grep -q "^\.TH HELIUM 1 \"\" \"$expected\"" "$prefix/$manual" || fail "the manual page is of another version"
    grep -q '^\.SS "helium request' "$prefix/$manual" || fail "the manual page does not describe helium request"
    # A request that roff does not know is a line that should have been text.
    ! grep -nE '^\.' "$prefix/$manual" | grep -vE ':\.(TH|SH|SS|PP|TP|B|I|RI)( |$)' || fail "the manual page is not roff"
    echo "install: $version in $prefix: $(wc -c <"$prefix/bin/helium") bytes, completions and manual page are there"
}

case "${1:-} $#" in
    "install 3") install_tool "$2" "$3" ;;
    "uninstall 2") uninstall_tool "$2" ;;
    "check 2") check_tool "$2" ;;
    *)
        sed -n '2,/^set/{/^#/p;}' "$0" >&2
        exit 64
        ;;
esac
