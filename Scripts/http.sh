#!/usr/bin/env bash
# Tests the HTTP engines with the software of others on free ports of this machine: nginx, Go, Node, libcurl, and our own server
# (Hummingbird). The parts, which are programs and servers of Tests/Proofs/Sources/HTTPRunner:
#
#   responses  a million responses, most of them broken, to our reader, libcurl and Node: the same result, or a known difference
#   requests   random requests to Go, Node, nginx and Hummingbird, which repeat what they have read
#   idle       bursts of calls to nginx, which closes connections after five requests and after a second
#   restarts   calls to nginx, Go and Hummingbird, which are restarted gracefully again and again; over HTTP/2 none may fail
#   soak       a million calls to all of these, and to a server that cuts connections; some calls are cancelled
#
#   Scripts/http.sh [PART]…   all of them by default
#
# HTTP_SEED changes the random numbers, HTTP_SHARE=N makes each part N times shorter. Needs nginx, Go, Node and openssl.
set -eu
cd "$(dirname "$0")/.."

readonly folder="$PWD/.build-http"
readonly peers="$PWD/Tests/Proofs/Sources/HTTPRunner/peers"
readonly seed=${HTTP_SEED:-1} share=${HTTP_SHARE:-1}
PATH="$PATH:/usr/sbin"
pids=()

stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}
trap stop EXIT
trap 'exit 130' INT TERM

fail() { echo "http: error: $*" >&2; exit 1; }
for tool in nginx go node openssl; do
    command -v "$tool" >/dev/null || fail "$tool is missing: Scripts/setup.sh bench installs nginx and Go; Node is a package nodejs"
done

swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing --product HTTPRunner
swift build --package-path Tests/Proofs -c release --scratch-path .build-proofs -Xswiftc -enable-testing --product EchoServer
mkdir -p "$folder"
go build -o "$folder/echo-go" "$peers/echo.go"

certify() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/authority.key" \
        -out "$folder/authority.pem" -days 30 -subj "/CN=Helium proofs"
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/server.key" -out "$folder/server.csr" \
        -subj /CN=localhost
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' >"$folder/extensions"
    openssl x509 -req -in "$folder/server.csr" -CA "$folder/authority.pem" -CAkey "$folder/authority.key" -CAcreateserial \
        -days 30 -extfile "$folder/extensions" -out "$folder/server.pem"
}
certify >"$folder/openssl.log" 2>&1 || { cat "$folder/openssl.log" >&2; fail "no certificates"; }

# Sets `ports` to free ones.
free_ports() {
    read -r -a ports <<<"$(python3 -c '
import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])' "$1")"
}

wait_for() {
    for _ in $(seq 1 150); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; then return; fi
        sleep 0.1
    done
    fail "$1 does not start: see $folder"
}

# Starts a server that prints its two addresses, and sets `clear` and `secure` to its URLs. They end with their standard input.
start_printing() {
    local log="$folder/$1.log"
    shift
    : >"$log"
    sleep 1000000 | "$@" >"$log" 2>&1 &
    pids+=("$!" "$(jobs -p | tail -n 1)")
    for _ in $(seq 1 100); do [ -s "$log" ] && break; sleep 0.1; done
    read -r clear secure <"$log" || fail "$1 does not start: see $log"
    clear="http://localhost:${clear##*:}" secure="https://localhost:${secure##*:}"
}

# start_nginx NAME REQUESTS TIMEOUT: sets `ports`, for clear text, TLS with HTTP/1.1, and TLS with HTTP/2.
start_nginx() {
    mkdir -p "$folder/$1"
    cp "$folder/server.pem" "$folder/server.key" "$folder/$1/"
    free_ports 3
    sed -e "s|@FOLDER@|$folder/$1|g" -e "s|@REQUESTS@|$2|" -e "s|@TIMEOUT@|$3|" -e "s|@ECHO@|${go_clear#http://}|" \
        -e "s|@CLEAR@|${ports[0]}|" -e "s|@SECURE@|${ports[1]}|" -e "s|@HTTP2@|${ports[2]}|" "$peers/nginx.conf" >"$folder/$1/nginx.conf"
    nginx -c "$folder/$1/nginx.conf" -p "$folder/$1" >"$folder/$1.log" 2>&1 &
    pids+=($!)
    for port in "${ports[@]}"; do wait_for "$1" "$port"; done
}

start_embedded() {
    free_ports 2
    .build-proofs/release/EchoServer "${ports[0]}" "${ports[1]}" "$folder/server.pem" "$folder/server.key" "$1" >"$folder/embedded-$1.log" 2>&1 &
    pids+=($!)
    for port in "${ports[@]}"; do wait_for "the embedded server" "$port"; done
}

reload() {
    while true; do
        nginx -c "$folder/reloaded/nginx.conf" -p "$folder/reloaded" -s reload 2>/dev/null || true
        sleep 0.2
    done
}

start_printing go "$folder/echo-go" -cert "$folder/server.pem" -key "$folder/server.key"
go_clear=$clear go_secure=$secure
start_printing node node "$peers/echo.mjs" "$folder/server.pem" "$folder/server.key"
node_clear=$clear node_secure=$secure
start_printing go-restarted "$folder/echo-go" -cert "$folder/server.pem" -key "$folder/server.key" -restart 150ms
restarted_clear=$clear restarted_secure=$secure
start_printing go-cut "$folder/echo-go" -cert "$folder/server.pem" -key "$folder/server.key" -restart 150ms -cut 300ms
cut_clear=$clear cut_secure=$secure
start_nginx closing 5 1s
closing=("http://localhost:${ports[0]}" "https://localhost:${ports[1]}" "https://localhost:${ports[2]}")
start_nginx reloaded 1000 60s
reloaded=("http://localhost:${ports[0]}" "https://localhost:${ports[1]}" "https://localhost:${ports[2]}")
start_embedded 0
embedded=("http://localhost:${ports[0]}" "https://localhost:${ports[1]}")
start_embedded 500
stopped=("http://localhost:${ports[0]}" "https://localhost:${ports[1]}")

status=0
run() {
    local part=$1 count=$2
    shift 2
    local IFS=,
    .build-proofs/release/HTTPRunner "$part" --seed "$seed" --count "$((count / share))" --peers "$peers" \
        --authority "$folder/authority.pem" --servers "$*" || status=1
}

is_wanted() { [ "$wanted" = "" ] || [[ " $wanted " == *" $1 "* ]]; }
readonly wanted="$*"
echo "http: seed $seed, a share of 1/$share"

if is_wanted responses; then run responses 1000000 none=http://localhost; fi
if is_wanted requests; then
    run requests 20000 "h1-go=$go_clear" "h1-go-tls=$go_secure" "h2-go=$go_secure" "h1-node=$node_clear" "h1-node-tls=$node_secure" \
        "h2-node=$node_secure" "h1-nginx=${closing[0]}" "h2-nginx=${reloaded[2]}" "h1-hummingbird=${embedded[0]}" \
        "h1-hummingbird-tls=${embedded[1]}" "h2-hummingbird=${embedded[1]}"
fi
if is_wanted idle; then run idle 8000 "h1-clear=${closing[0]}" "h1-tls=${closing[1]}" "h2-tls=${closing[2]}"; fi
reload &
pids+=($!)
if is_wanted restarts; then
    run restarts 40000 "h1-nginx=${reloaded[0]}" "h1-nginx-tls=${reloaded[1]}" "h2-nginx=${reloaded[2]}" "h1-go=$restarted_clear" \
        "h1-go-tls=$restarted_secure" "h2-go=$restarted_secure" "hummingbird-h1=${stopped[0]}" "hummingbird-h1-tls=${stopped[1]}" \
        "hummingbird-h2=${stopped[1]}"
fi
if is_wanted soak; then
    run soak 1000000 "h1-nginx=${reloaded[0]}" "h1-nginx-tls=${reloaded[1]}" "h2-nginx=${reloaded[2]}" "h1-closing=${closing[0]}" \
        "h1-closing-tls=${closing[1]}" "h2-closing=${closing[2]}" "h1-go=$restarted_clear" "h1-go-tls=$restarted_secure" \
        "h2-go=$restarted_secure" "h1-cut=$cut_clear" "h1-cut-tls=$cut_secure" "h2-cut=$cut_secure"
fi
exit "$status"
