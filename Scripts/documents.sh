#!/usr/bin/env bash
# Decodes every document of a folder of the real services' documents and expects what its name says: INVALID-… is refused with
# a place, EXPECTED-… says the same as the document it is named after, everything else is read. App.net's are read strictly,
# and what was read is read again the same.
#
# Usage: Scripts/documents.sh DATA   (a folder with cosm/json, cosm/csv, cosm/xml, cosm/socket, appnet)
set -eu
cd "$(dirname "$0")/.."

data=${1:?"usage: Scripts/documents.sh DATA"}
helium=$(swift build --show-bin-path)/helium
[ -d "$data" ] || { echo "documents: there is no folder $data" >&2; exit 1; }

read_count=0
refused_count=0
failures=0
skipped=()
output=$(mktemp)
again=$(mktemp)
trap 'rm -f "$output" "$again"' EXIT

fail() {
    printf 'documents: error: %s\n' "$*" >&2
    failures=$((failures + 1))
}

# The kind that a name begins with, its marks taken away: v1-, INVALID-, EXPECTED-, AMBIGUOUS- in whatever order.
kind_of() {
    local folder=$1 name=$2
    if [ "$folder" = socket ]; then echo cosm.socket; return; fi
    while [[ $name =~ ^(v1|INVALID|EXPECTED|AMBIGUOUS)-(.*)$ ]]; do name=${BASH_REMATCH[2]}; done
    case $name in
        feed-list* | feeds[-.]*) echo cosm.feeds ;;
        datastream[-.]*) echo cosm.datastream ;;
        datastreams[-.]*) echo cosm.datastreams ;;
        datapoint[-.]*) echo cosm.datapoint ;;
        datapoints[-.]*) echo cosm.datapoints ;;
        trigger[-.]*) echo cosm.trigger ;;
        triggers[-.]*) echo cosm.triggers ;;
        key[-.]*) echo cosm.key ;;
        keys[-.]*) echo cosm.keys ;;
        user[-.]*) echo cosm.user ;;
        users[-.]*) echo cosm.users ;;
        *) echo cosm.feed ;;
    esac
}

for folder in json csv xml socket; do
    for file in "$data"/cosm/"$folder"/*; do
        [ -f "$file" ] || continue
        name=$(basename "$file")
        kind=$(kind_of "$folder" "$name")
        # CSV states no version.
        options=()
        if [[ $name == *.csv ]] && [[ $name =~ (^|-)v1- ]]; then options=(--v1); fi
        status=0
        "$helium" decode "$kind" "$file" ${options[@]+"${options[@]}"} >"$output" 2>&1 || status=$?
        case $name in
            *INVALID-*)
                if [ $status -ne 1 ]; then
                    fail "$name was to be refused: status $status"
                elif ! grep -qE ':[0-9]+(:[0-9]+)?: .' "$output"; then
                    fail "$name was refused without a place and a reason: $(cat "$output")"
                else
                    refused_count=$((refused_count + 1))
                fi
                ;;
            AMBIGUOUS-*) skipped+=("$name") ;;
            *)
                if [ $status -ne 0 ]; then
                    fail "$name was to be read: $(cat "$output")"
                    continue
                fi
                read_count=$((read_count + 1))
                if [[ $name == EXPECTED-* ]]; then
                    "$helium" decode "$kind" "$(dirname "$file")/${name#EXPECTED-}" | cmp -s - "$output" ||
                        fail "${name#EXPECTED-} does not mean what $name says"
                fi
                ;;
        esac
    done
done

# App.net: the kind that a name begins with; none for forms, and for what is no document of the service's.
appnet_kind_of() {
    case $1 in
        auth.* | manifest.json | entities-corpus.json) ;;
        app-stream.create* | app-stream.update* | app-stream.get*) echo appStream ;;
        app-stream.* | user-stream.*) echo event ;;
        meta.net.patter*) echo channel ;;
        annotations.* | meta.* | guide.anatomy* | file.attaching*) echo annotation ;;
        channel.mark-all* | channel.retrieve-number* | channel.retrieve-user-ids*) echo value ;;
        config.resource* | envelope.* | file.derived* | token.retrieve-authorized-user-ids*) echo value ;;
        wire.channel-subscriber-ids* | wire.user-following-ids*) echo value ;;
        channel.retrieve-users* | wire.channel-subscribers* | wire.post-stars*) echo user ;;
        wire.channel-messages* | wire.users-me-messages*) echo message ;;
        channel.* | guide.create-a-broadcast* | wire.channel* | wire.users-me-channels*) echo channel ;;
        config.* | wire.config*) echo configuration ;;
        entities.links* | text-processor.* | wire.text*) echo text ;;
        explore.retrieve-all*) echo exploreStream ;;
        entities.mentions-in* | explore.* | guide.attach* | post.* | wire.post*) echo post ;;
        wire.explore* | wire.global* | wire.my-stream* | wire.unified*) echo post ;;
        entities.*) echo entities ;;
        file.* | guide.upload*) echo file ;;
        filter.*) echo filter ;;
        interaction.*) echo interaction ;;
        message.* | guide.send* | wire.message*) echo message ;;
        place.* | wire.place*) echo place ;;
        stream-marker.*) echo streamMarker ;;
        token.*) echo token ;;
        user.images*) echo image ;;
        user.* | wire.user*) echo user ;;
    esac
}

# What is around the values of a document of App.net's: the files are indented by two blanks a level.
appnet_shape_of() {
    local file=$1 kind=$2
    if [[ $file == *.exchange.json ]]; then
        echo --exchange
        if grep -qE '^      "data": \[' "$file"; then echo --list; fi
    elif [ "$kind" != event ] && grep -qE '^  "(data|meta)":' "$file"; then
        echo --envelope
        if grep -qE '^  "data": \[' "$file"; then echo --list; fi
    elif [ "$(head -c 1 "$file")" = '[' ]; then
        echo --list
    fi
}

for file in "$data"/appnet/*.json; do
    [ -f "$file" ] || continue
    name=$(basename "$file")
    kind=$(appnet_kind_of "$name")
    if [ -z "$kind" ]; then skipped+=("$name"); continue; fi
    mapfile -t options < <(appnet_shape_of "$file" "$kind")
    if ! "$helium" decode "appnet.$kind" --strict "$file" ${options[@]+"${options[@]}"} >"$output" 2>&1; then
        fail "$name was to be read: $(cat "$output")"
        continue
    fi
    read_count=$((read_count + 1))
    if ! "$helium" decode "appnet.$kind" --strict "$output" ${options[@]+"${options[@]}"} >"$again" 2>&1 ||
        ! cmp -s "$output" "$again"; then
        fail "$name is written so that something else is read"
    fi
done

for system in "$data"/*/; do
    case $(basename "$system") in
        appnet | cosm | middleware | json) ;;
        *) skipped+=("$(basename "$system")/ (no kinds yet)") ;;
    esac
done

echo "documents: $read_count read, $refused_count refused as they should, $failures wrong"
for what in ${skipped[@]+"${skipped[@]}"}; do echo "documents: skipped $what"; done
[ $read_count -gt 0 ] || fail "there are no documents in $data"
[ $failures -eq 0 ]
