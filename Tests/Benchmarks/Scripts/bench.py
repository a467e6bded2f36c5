#!/usr/bin/env python3
"""Measures Helium and its peers in alternation and prints the table of ratios.

Every run is a process of its own against one nginx; each round takes all clients of a group in turn,
every other round in reverse. See Docs/Performance.md for the method.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean

import plan
import report
import server
import websocket

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRATCH = os.path.join(PACKAGE, ".build-bench")
TESTABLE_SCRATCH = os.path.join(PACKAGE, ".build-bench-testable")
STATIC_SCRATCH = os.path.join(PACKAGE, ".build-bench-static")
STATIC_FLAGS = os.path.join(PACKAGE, "..", "..", "Scripts", "static-flags.sh")
BUSY_LIMIT = 10  # per cent of a core that others may use before the ratios are doubted
RUN_LIMIT = 180  # seconds for one run of one client; the slowest takes about ten
TESTABLE_LIMIT = 1800  # the same for what fills a store with a million messages first


class Failures:
    """Runs that gave no measurement; the tables show them as gaps and the exit status tells."""

    def __init__(self):
        self.texts = []

    def add(self, text):
        self.texts.append(text)
        print(f"bench: error: {text}", file=sys.stderr, flush=True)


def build():
    command = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--scratch-path", SCRATCH]
    print(" ".join(command), file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=sys.stderr)


def build_go():
    """Go's compiler knows for itself what has changed. Without it that peer is left out."""
    go = shutil.which("go")
    if not go:
        print("bench: no Go here: net/http is not measured", file=sys.stderr, flush=True)
        return
    source = os.path.join(PACKAGE, "Sources", plan.EXECUTABLES[plan.GO], "main.go")
    command = [go, "build", "-o", executable_path(plan.EXECUTABLES[plan.GO]), source]
    print(" ".join(command), file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=sys.stderr, env=dict(os.environ, GO111MODULE="off"))


def executable_path(executable, scratch=SCRATCH):
    return os.path.join(scratch, "release", executable)


def build_testable():
    """Builds what looks into modules, in a folder of its own: with testability the others would be slower."""
    environment = dict(os.environ, HELIUM_BENCH_TESTABLE="1")
    for kind in sorted(plan.TESTABLE):
        command = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--scratch-path", TESTABLE_SCRATCH,
                   "--product", plan.OPERATIONS[kind], "-Xswiftc", "-enable-testing"]
        print(" ".join(command), file=sys.stderr, flush=True)
        subprocess.run(command, check=True, stdout=sys.stderr, env=environment)


def build_static():
    """Builds the client with Swift's runtime inside, with the options of `make static`."""
    flags = subprocess.run([STATIC_FLAGS], check=True, capture_output=True, text=True).stdout.split()
    command = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--scratch-path", STATIC_SCRATCH,
               "--product", plan.EXECUTABLES[plan.SDK_STATIC], *flags]
    print(" ".join(command), file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=sys.stderr)


def measure(executable, arguments, scratch=SCRATCH, limit=RUN_LIMIT):
    """The JSON that one run prints; raises RuntimeError with the reason if it prints none."""
    path = executable_path(executable, scratch)
    if not os.path.exists(path):
        raise RuntimeError("it is not built")
    try:
        result = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=limit,
                                stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no end after {limit} s") from None
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip() or f"exit status {result.returncode}")
    return json.loads(result.stdout)


def bulk_arguments(group, run, folder):
    path = lambda name: os.path.join(folder, "www", name)
    url = server.BenchmarkServer.url if group.transfer == "download" else server.BenchmarkServer.sink_url
    document = server.bulk_name(group.body_bytes)
    arguments = {
        "--transfer": group.transfer,
        "--url": url(document, tls=False),
        "--warm-up-url": url("large.json", tls=False),
        "--requests": run.requests,
        "--body-bytes": group.body_bytes,
        "--file": path(document),
        "--warm-up-file": path("large.json"),
    }
    return [text for name, value in arguments.items() for text in (name, str(value))]


def run_arguments(group, run, running):
    if group.transfer:
        return bulk_arguments(group, run, running.folder)
    arguments = {
        "--url": server.BenchmarkServer.url(group.document, tls=group.http2),
        "--concurrency": group.concurrency,
        "--requests": run.requests,
        "--warm-up": run.requests // 10,
        "--body-bytes": group.body_bytes,
        "--http2": int(group.http2),
        "--ca": running.certificate_authority,
        "--idle-url": server.BenchmarkServer.idle_url,
        "--idle-streams": run.idle_streams,
    }
    return [text for name, value in arguments.items() for text in (name, str(value))]


def measure_group(group, running, failures):
    measured = {}
    failed = set()
    for round_number in range(group.rounds):
        print(f"bench: {group.title}: round {round_number + 1} of {group.rounds}", file=sys.stderr, flush=True)
        for run in group.runs if round_number % 2 == 0 else reversed(group.runs):
            if run.label in failed:
                continue
            try:
                arguments = run_arguments(group, run, running) + plan.EXTRA_ARGUMENTS.get(run.client, [])
                scratch = STATIC_SCRATCH if run.client == plan.SDK_STATIC else SCRATCH
                result = measure(plan.EXECUTABLES[run.client], arguments, scratch)
                measured.setdefault(run.label, []).append(result)
            except RuntimeError as error:
                failures.add(f"{group.name}, {run.label}: {error}")
                # Rounds are compared with each other: half of them would be worse than none.
                failed.add(run.label)
                measured.pop(run.label, None)
    return measured


def measure_operations(kind, executable, failures):
    """What an executable measures that compares operations by itself; one round is one ratio."""
    results = []
    place = (TESTABLE_SCRATCH, TESTABLE_LIMIT) if kind in plan.TESTABLE else (SCRATCH, RUN_LIMIT)
    for arguments in [[]] + [[text] for text in plan.OPERATION_RUNS.get(kind, [])]:
        try:
            results += measure(executable, arguments, *place)
        except RuntimeError as error:
            failures.add(f"{kind} {' '.join(arguments)}: {error}")
    groups = {}
    for result in results:
        rounds = [{result["unit"]: value, "length": result["bytes"]} for value in result["rounds"]]
        groups.setdefault(result["group"], {})[result["operation"]] = rounds
    return groups


def busy_elsewhere():
    """The share of one core, in per cent, that others use now; nothing of ours runs while this waits.

    Beside a busy neighbour cores do not go to sleep, waiting costs less, and the ratios come out wrong: raw
    libcurl in C at concurrency 1 was seen at 40 % of its usual CPU time.
    """
    def idle_ticks():
        with open("/proc/stat") as file:
            fields = [int(text) for text in file.readline().split()[1:]]
        return fields[3] + fields[4]

    if not os.path.exists("/proc/stat"):
        return 0.0
    ticks, start = idle_ticks(), time.monotonic()
    time.sleep(1)
    idle = (idle_ticks() - ticks) / os.sysconf("SC_CLK_TCK") / (time.monotonic() - start)
    return max(0.0, 100 * (os.cpu_count() - idle))


def machine():
    def output(*command):
        try:
            result = subprocess.run(command, capture_output=True, text=True, timeout=30)
            return (result.stdout + result.stderr).strip()
        except (OSError, subprocess.TimeoutExpired):
            return ""

    def first(pattern, text, default="unknown"):
        match = re.search(pattern, text)
        return match.group(1).strip() if match else default

    cpu = platform.processor()
    if os.path.exists("/proc/cpuinfo"):
        cpu = first(r"model name\s*:\s*(.*)", open("/proc/cpuinfo").read(), cpu)
    system = platform.platform()
    if os.path.exists("/etc/os-release"):
        system = first(r'PRETTY_NAME="(.*)"', open("/etc/os-release").read(), system)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": output("git", "-C", PACKAGE, "describe", "--always", "--dirty") or "unknown",
        "CPU": f"{os.cpu_count()} × {cpu}",
        "system": f"{system}, kernel {platform.release()}",
        "Swift": first(r"Swift version (\S+)", output("swift", "--version")),
        "libcurl": output("pkg-config", "--modversion", "libcurl") or "unknown",
        "OpenSSL": output("pkg-config", "--modversion", "libssl") or "unknown",
        "Go": first(r"go version go(\S+)", output("go", "version"), "none"),
        "nginx": first(r"nginx/(\S+)", output(server.nginx_path(), "-v")),
    }


def is_chosen(name, only):
    """Whether the name of a group contains one of the texts of `--only`."""
    return any(text in name for text in only.split(","))


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--quick", action="store_true", help="few requests and rounds: does it work?")
    parser.add_argument("--only", metavar="TEXT", default="", help="only groups whose name contains this, or one of several with commas between (h1, h2-c16, large, idle, bulk, signing, json, cosm, appnet, beast, jetstream, conair, websocket)")
    parser.add_argument("--no-build", action="store_true", help="take the executables as they are")
    parser.add_argument("--json", metavar="FILE", default=os.path.join(SCRATCH, "results.json"), help="where all measurements go")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables to this file too")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed or not measured")
    return parser.parse_args()


def main():
    # So that `with` stops nginx whatever ends this process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = options()
    if chosen.quick:
        os.environ["HELIUM_BENCH_QUICK"] = "1"
    groups = [group for group in plan.groups(chosen.quick) if is_chosen(group.name, chosen.only)]
    missing = {client for client, is_here in ((plan.GO, shutil.which("go")), (plan.SDK_STATIC, sys.platform == "linux"), (plan.ENGINE, sys.platform == "linux")) if not is_here}
    for group in groups:
        group.runs[:] = [run for run in group.runs if run.client not in missing]
    if not chosen.no_build:
        plain = set(plan.OPERATIONS) - plan.TESTABLE | {"websocket"}
        if groups or any(is_chosen(kind, chosen.only) for kind in plain):
            build()
            build_go()
        if any(run.client == plan.SDK_STATIC for group in groups for run in group.runs):
            build_static()
        if any(is_chosen(kind, chosen.only) for kind in plan.TESTABLE):
            build_testable()
    failures, measurements, facts, busy = Failures(), {}, machine(), [busy_elsewhere()]
    if groups:
        with server.BenchmarkServer() as running:
            for group in groups:
                measurements[group.name] = measure_group(group, running, failures)
                busy.append(busy_elsewhere())
    for kind, executable in plan.OPERATIONS.items():
        if is_chosen(kind, chosen.only):
            measurements.update(measure_operations(kind, executable, failures))
    if is_chosen("websocket", chosen.only):
        measurements.update(websocket.measure(SCRATCH, chosen.quick, failures))

    facts["used by others"] = f"{max(busy):.0f} % of a core"
    verdicts = report.judge(measurements)
    if chosen.only:
        verdicts = [verdict for verdict in verdicts if verdict.goal.group in measurements]
    text = report.document(facts, groups, measurements, verdicts, chosen.quick, max(busy) > BUSY_LIMIT)
    print(text)
    os.makedirs(os.path.dirname(os.path.abspath(chosen.json)), exist_ok=True)
    with open(chosen.json, "w") as file:
        json.dump({"machine": facts, "quick": chosen.quick, "failures": failures.texts, "measurements": measurements}, file, indent=1)
    print(f"bench: all measurements are in {chosen.json}", file=sys.stderr)
    if chosen.markdown:
        with open(chosen.markdown, "w") as file:
            file.write(text)
    if failures.texts:
        print(f"bench: {len(failures.texts)} runs failed", file=sys.stderr)
        return 1
    return 1 if chosen.check and any(verdict.missed for verdict in verdicts) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (server.ServerError, subprocess.CalledProcessError) as error:
        sys.exit(f"bench: error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
