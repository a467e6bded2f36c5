"""Messages over WebSockets: HeliumWebSocket, Python's websockets and epoll in C, in turn, against one echo server, in clear text and
over TLS; and what idle WebSockets cost, against idle connections of libcurl in C."""

import contextlib
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile

import server

HELIUM = "HeliumWebSocket"
PYTHON = "Python websockets"
RAW = "raw epoll in C"
RAW_TLS = "raw OpenSSL in C"
# Each client is an executable, or a script, so that its CPU time is its own. The client in C takes both kinds of URL.
EXECUTABLES = {HELIUM: "WebSocketEcho", RAW: "RawWebSocket", RAW_TLS: "RawWebSocket"}
BYTES = 100
ROUNDS = 5
# How many messages are under way, and how many are sent in a round.
WINDOWS = {1: 5_000, 32: 20_000}
LIMIT = 180  # seconds for one run

LIBCURL = "libcurl in C"
LIBCURL_ALONE = "libcurl in C, a connection cache each"
OURS = "HeliumWebSocket besides libcurl"
OURS_ALONE = "HeliumWebSocket besides libcurl with a connection cache each"
# The clients with idle connections, and what is given to them besides the rest.
IDLE_CLIENTS = {HELIUM: ("WebSocketIdle",), LIBCURL: ("RawIdle", "0"), LIBCURL_ALONE: ("RawIdle", "1")}
# What is ours is the difference to another client in the same round.
DIFFERENCES = {OURS: LIBCURL, OURS_ALONE: LIBCURL_ALONE}
IDLE_COUNT = 1_000
IDLE_SECONDS = 5
IDLE_ROUNDS = 3

ECHO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "websocket_echo.py")


def measure(scratch, quick, failures):
    """Groups `websocket-WINDOW` and `websocket-tls-WINDOW` with the CPU time of each message, and `websocket-idle` and
    `websocket-idle-tls` with the memory and CPU time of idle connections; one value for each round."""
    try:
        python = _python(scratch)
    except (OSError, subprocess.CalledProcessError) as error:
        failures.add(f"websocket: no peer: {error}")
        return {}
    _allow_descriptors(2 * IDLE_COUNT)
    groups = {}
    with tempfile.TemporaryDirectory(prefix="helium-benchmarks-") as folder:
        path = lambda name: os.path.join(folder, name)
        server.make_certificates(folder)
        executable = lambda name: os.path.join(scratch, "release", name)
        for name, scheme, labels, certificate, authority in (
            ("websocket", "ws", (HELIUM, RAW), [], []),
            ("websocket-tls", "wss", (HELIUM, RAW_TLS), [path("server.pem"), path("server.key")], [path("ca.pem")]),
        ):
            commands = {label: [executable(EXECUTABLES[label])] for label in labels}
            if not certificate:
                commands[PYTHON] = [python, "-B", ECHO, "client"]
            try:
                with _echo_server(python, certificate) as port:
                    for window, count in WINDOWS.items():
                        arguments = [f"{scheme}://127.0.0.1:{port}/", str(count // (10 if quick else 1)), str(BYTES),
                                     str(window), *authority]
                        groups[f"{name}-{window}"] = _alternate(commands, arguments, f"{name}, {window} at a time", failures)
                    url = f"{scheme.replace('ws', 'http')}://127.0.0.1:{port}"
                    idle = {label: [executable(program), url, str(IDLE_COUNT // (10 if quick else 1)),
                                    str(1 if quick else IDLE_SECONDS), *(authority or ["-"]), *extra]
                            for label, (program, *extra) in IDLE_CLIENTS.items()}
                    groups[name.replace("websocket", "websocket-idle")] = _idle(idle, name, failures)
            except server.ServerError as error:
                failures.add(f"{name}: {error}")
    return groups


def _alternate(commands, arguments, title, failures):
    measured = {}
    for number in range(ROUNDS):
        print(f"bench: {title}: round {number + 1} of {ROUNDS}", file=sys.stderr, flush=True)
        for label in commands if number % 2 == 0 else reversed(commands):
            output = _run([*commands[label], *arguments], f"{title}, {label}", failures)
            if output is None:
                return {}
            # A process has rounds of its own: their median is one of ours.
            value = statistics.median(float(line) for line in output.split())
            measured.setdefault(label, []).append({"nanoseconds": value * 1000, "length": BYTES})
    return measured


def _idle(commands, title, failures):
    """Rounds with `bytes`, the memory of an idle connection; `microseconds`, the CPU time of a second with all of them; and
    `peakResidentKibibytes`, the memory of a client of both kinds before them."""
    measured = {}
    for number in range(IDLE_ROUNDS):
        print(f"bench: {title}, idle: round {number + 1} of {IDLE_ROUNDS}", file=sys.stderr, flush=True)
        for label in commands if number % 2 == 0 else reversed(commands):
            output = _run(commands[label], f"{title}, idle, {label}", failures)
            if output is None:
                return {}
            measured.setdefault(label, []).append(json.loads(output))
    return with_differences(measured)


def with_differences(measured):
    """The rounds of idle connections, and what each of ours takes besides those of libcurl in the same round."""
    differences = {label: [{"bytes": ours["bytes"] - bare["bytes"]} for ours, bare in zip(measured[HELIUM], measured[base])]
                   for label, base in DIFFERENCES.items()}
    return measured | differences


def _run(command, title, failures):
    """What a client prints; `None` if it fails."""
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    except (OSError, subprocess.SubprocessError) as error:
        failures.add(f"{title}: {error}")
        return None
    if result.returncode != 0:
        failures.add(f"{title}: {result.stderr.strip() or f'exit status {result.returncode}'}")
        return None
    return result.stdout


@contextlib.contextmanager
def _echo_server(python, certificate):
    port = _free_port()
    echo = subprocess.Popen([python, "-B", ECHO, "serve", str(port), *certificate], stdout=subprocess.PIPE, text=True)
    try:
        if echo.stdout.readline().strip() != "ready":
            raise server.ServerError("the echo server does not start")
        yield port
    finally:
        echo.terminate()
        echo.wait(10)


def _allow_descriptors(count):
    """Raises the limit of descriptors for the clients and the server, if it is lower and may be raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < count:
        most = count if hard == resource.RLIM_INFINITY else min(count, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _python(scratch):
    """The Python of an environment that has websockets; it is made when it is missing."""
    folder = os.path.join(scratch, "venv")
    python = os.path.join(folder, "bin", "python")
    if subprocess.run([python, "-c", "import websockets"], capture_output=True).returncode if os.path.exists(python) else True:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "websockets"], check=True)
    return python


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
