"""Messages over WebSockets: HeliumWebSocket, Python's websockets and epoll in C, in turn, against one echo server."""

import os
import socket
import statistics
import subprocess
import sys

HELIUM = "HeliumWebSocket"
PYTHON = "Python websockets"
RAW = "raw epoll in C"
# Each client is an executable, or a script, so that its CPU time is its own.
EXECUTABLES = {HELIUM: "WebSocketEcho", RAW: "RawWebSocket"}
BYTES = 100
ROUNDS = 5
# How many messages are under way, and how many are sent in a round.
WINDOWS = {1: 5_000, 32: 20_000}
LIMIT = 180  # seconds for one run

ECHO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "websocket_echo.py")


def measure(scratch, quick, failures):
    """Groups `websocket-WINDOW` with the CPU time of each message, one value for each round."""
    try:
        python = _python(scratch)
    except (OSError, subprocess.CalledProcessError) as error:
        failures.add(f"websocket: no peer: {error}")
        return {}
    port = _free_port()
    echo = subprocess.Popen([python, "-B", ECHO, "serve", str(port)], stdout=subprocess.PIPE, text=True)
    try:
        if echo.stdout.readline().strip() != "ready":
            failures.add("websocket: the echo server does not start")
            return {}
        url = f"ws://127.0.0.1:{port}/"
        commands = {label: [os.path.join(scratch, "release", name)] for label, name in EXECUTABLES.items()}
        commands[PYTHON] = [python, "-B", ECHO, "client"]
        groups = {}
        for window, count in WINDOWS.items():
            arguments = [url, str(count // (10 if quick else 1)), str(BYTES), str(window)]
            groups[f"websocket-{window}"] = _alternate(commands, arguments, window, failures)
        return groups
    finally:
        echo.terminate()
        echo.wait(10)


def _alternate(commands, arguments, window, failures):
    measured = {}
    for number in range(ROUNDS):
        print(f"bench: WebSocket, {window} at a time: round {number + 1} of {ROUNDS}", file=sys.stderr, flush=True)
        for label in commands if number % 2 == 0 else reversed(commands):
            try:
                result = subprocess.run([*commands[label], *arguments], capture_output=True, text=True, timeout=LIMIT,
                                        check=True)
            except (OSError, subprocess.SubprocessError) as error:
                failures.add(f"websocket, {label}: {error}")
                return {}
            # A process has rounds of its own: their median is one of ours.
            value = statistics.median(float(line) for line in result.stdout.split())
            measured.setdefault(label, []).append({"nanoseconds": value * 1000, "length": BYTES})
    return measured


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
