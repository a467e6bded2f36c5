#!/usr/bin/env bash
# Packs what `make install` installs into .build/dist/helium-VERSION-SYSTEM-MACHINE.tar.gz, with its SHA-256 beside it. The same
# binary gives the same archive: names are sorted; owner, time and compression are fixed.
#
#   Scripts/release.sh BINARY
set -eu
cd "$(dirname "$0")/.."

[ $# -eq 1 ] || { echo "usage: Scripts/release.sh BINARY" >&2; exit 64; }

tar=tar
if ! tar --version 2>/dev/null | grep -q 'GNU tar'; then
    command -v gtar >/dev/null 2>&1 || { echo "release: error: GNU tar is needed (brew install gnu-tar)" >&2; exit 1; }
    tar=gtar
fi
system=$(uname -s | tr '[:upper:]' '[:lower:]')
[ "$system" = darwin ] && system=macos
name="helium-$(Scripts/version.sh)-$system-$(uname -m)"
# The time of the commit; 1980 outside of a clone, which all formats can express.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}

folder=.build/dist
rm -rf "${folder:?}/$name"
mkdir -p "$folder"
umask 022
Scripts/install.sh install "$1" "$folder/$name" >/dev/null
Scripts/install.sh check "$folder/$name"
"$tar" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --format=ustar \
    -C "$folder" -cf - "$name" | gzip -n >"$folder/$name.tar.gz"
rm -rf "${folder:?}/$name"
cd "$folder"
if command -v sha256sum >/dev/null 2>&1; then sum="sha256sum"; else sum="shasum -a 256"; fi
$sum "$name.tar.gz" >"$name.tar.gz.sha256"
echo "release: $folder/$name.tar.gz, $(wc -c <"$name.tar.gz") bytes, SHA-256 $(cut -d ' ' -f 1 "$name.tar.gz.sha256")"
