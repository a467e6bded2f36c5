#!/usr/bin/env python3
"""Runs the long proofs, or a slice of them, and says at its end what it ran, with seeds and durations.

  Scripts/prove.py [--part PART]… [--seed N]   each part at full length
  Scripts/prove.py --slice SECONDS [--seed N]  a share of the random proofs, with what `make test` has built

The parts go on after one has failed; the exit status is 1 in the end. A part whose tool is missing, or that got no time, is
skipped. A skipped part is not a failure. After SIGINT, SIGTERM or SIGHUP the report names what did not run. Without --seed
the seed is made from the commit, so that each commit proves something new. All parts of full length are commands of the
Makefile.
"""

import argparse
import collections
import os
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import processes

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(".build", "prove-logs")
PROCESS = ".build/debug/TestProcess"
CHUNK_LIMIT = 600  # seconds for a chunk of a slice: for hangs only
SEED_LIMIT = 10**9  # below what every part takes
NO_VALGRIND = 77
COST_PARTS = 32  # shares of the patterns, so that one takes less than a minute
BODY_PARTS = 99  # shares of the server's calls: one call each


def parts(seed):
    """The commands of each part of full length."""
    return {
        "fuzz": [f"fuzz SEED={seed}", f"fuzz-tests SEED={seed}"],
        "cost": ["cost"],
        "simulate": [f"simulate FIRST={seed}", "simulate-bites"],
        "crash": [f"crash SEED={seed % 1_000_000}"],
        "soak": [f"soak SEED={seed}"],
        "tsan": ["test-tsan"],
        "asan": ["test-asan"],
        "mutate": ["mutate"],
        "interop": ["interop"],
        "http": [f"http SEED={seed}"],
        "browser": ["test-browser"],
        "bench": ["bench"],
    }


# `status` is that of a process, or `None` for one that had to be ended; SKIPPED and NOT_RUN replace it.
Result = collections.namedtuple("Result", "name seconds status details")
SKIPPED, NOT_RUN = "skipped", "not run"


def seed_of_commit():
    try:
        result = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PACKAGE, capture_output=True, text=True)
    except OSError:
        return 1
    return int(result.stdout.strip(), 16) % SEED_LIMIT if result.returncode == 0 else 1


def clean_environment(**values):
    """The environment without the variables of the `make` that called this script, which would hold for those it calls too."""
    hidden = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "SEED", "PART", "SLICE")
    return {name: value for name, value in os.environ.items() if name not in hidden} | values


# MARK: Full length

def prove(names, seed, results, make=("make",)):
    """Runs parts, one after the other, and appends a result for each command, those that did not run included."""
    commands = [(name, command) for name in names for command in parts(seed)[name]]
    before = len(results)
    try:
        for name, command in commands:
            print(f"prove: {name}: make {command}", flush=True)
            run_make([*make, *command.split()], name, f"make {command}", results)
    finally:
        results += [Result(name, 0, NOT_RUN, f"make {command}") for name, command in commands[len(results) - before:]]


def run_make(arguments, name, details, results):
    """Runs a command, appends its result, and ends what it started whatever happens."""
    start, status = time.monotonic(), None
    # A session of its own, so that all of it can be ended: background processes of scripts ignore SIGINT.
    process = subprocess.Popen(arguments, cwd=PACKAGE, env=clean_environment(), start_new_session=True)
    try:
        status = process.wait()
    finally:
        processes.end_group(process)
        results.append(Result(name, time.monotonic() - start, status, details if status is not None else f"{details}: ended"))


# MARK: A slice

class Chunks:
    """A part of a slice: commands that follow each other until its time is over. None is ended in its middle."""

    def __init__(self, name, share, command, replay):
        # `command` makes the arguments of the chunk with a number, from 0 on; `replay` says how to repeat a seed.
        self.name, self.share, self.command, self.replay = name, share, command, replay
        self.count, self.status, self.longest, self.seconds, self.note = 0, 0, 0.0, None, ""

    def run(self, seconds):
        """Runs chunks until the next one might not end within the time. One runs in any case."""
        begin = time.monotonic()
        while self.status == 0 and (self.count == 0 or time.monotonic() + self.longest < begin + seconds) and not STOP.is_set():
            begin_of_chunk = time.monotonic()
            self.run_one(self.command(self.count))
            self.longest = max(self.longest, time.monotonic() - begin_of_chunk)
            self.count += 1
        self.seconds = time.monotonic() - begin

    def run_one(self, arguments):
        log = os.path.join(PACKAGE, LOGS, f"{self.name}-{self.count:03}.log")
        with open(log, "wb") as output:
            process = start(arguments, output, self.environment())
            if process is None:
                return
            try:
                self.status = process.wait(timeout=CHUNK_LIMIT)
            except subprocess.TimeoutExpired:
                self.status = None
            finally:
                end(process)
        if self.status == NO_VALGRIND:
            self.status, self.note = SKIPPED, "valgrind is missing"
        elif self.status != 0:
            self.tell_failure(log, arguments)

    def environment(self):
        # Random hashing; the simulation sets what it needs.
        return {name: value for name, value in clean_environment().items() if name != "SWIFT_DETERMINISTIC_HASHING"}

    def tell_failure(self, log, arguments):
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file.read().rstrip().split("\n") if ": passed " not in line][-60:]
        reason = f"no end after {CHUNK_LIMIT} s" if self.status is None else f"status {self.status}"
        print(f"prove: error: {self.name}: {reason}: {' '.join(arguments)}\n    " + "\n    ".join(lines) + f"\n    {self.replay}",
              flush=True)

    def result(self):
        if self.seconds is None:
            return Result(self.name, 0, None, "did not come to its end")
        return Result(self.name, self.seconds, self.status, self.note or f"{self.count} times {' '.join(self.command(0)[1:])}")


RUNNING, STOP, LOCK = set(), threading.Event(), threading.Lock()


def start(arguments, output, environment):
    """Starts a process in a session of its own, so that what it starts ends with it; `None` after the end of the slice."""
    with LOCK:
        if STOP.is_set():
            return None
        process = subprocess.Popen(arguments, cwd=PACKAGE, stdout=output, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, start_new_session=True, env=environment)
        RUNNING.add(process)
        return process


def end(process):
    processes.end_group(process)
    RUNNING.discard(process)


def slice_parts(seed):
    """The parts of a slice, for each of two processors, with their shares of the time."""
    def simulation(system, count):
        def command(number):
            return [PROCESS, "simulate", system, "--seed", str(seed + number * count), "--seeds", str(count), "--runs", "1"]
        return command

    def kills(number):
        return [PROCESS, "crash", "--kills", "20", "--drain", "100", "--seed", str((seed + number) % 1_000_000)]

    def cost(number):
        return [PROCESS, "cost", "--quick", "--bytes", "256", "--part", f"{(seed + number) % COST_PARTS}/{COST_PARTS}"]

    def bodies(number):
        return [PROCESS, "cost", "--largest", "--quick", "--part", f"{(seed + number) % BODY_PARTS}/{BODY_PARTS}"]

    replay = "repeat a seed with CONFIGURATION=debug make simulate SYSTEM="
    # The parts whose chunks are long come first: those with short ones take what is left.
    return [
        [Chunks("crash", 0.3, kills, "repeat it with this command"),
         Chunks("beast", 0.7, simulation("beast", 5), replay + "beast SEED=N")],
        [Chunks("cost", 0.15, cost, "repeat it with this command"),
         Chunks("bodies", 0.05, bodies, "repeat it with this command"),
         RandomTests("fuzz", 0.4, seed),
         Chunks("transport", 0.1, simulation("transport", 50), replay + "transport SEED=N"),
         Chunks("jetstream", 0.3, simulation("jetstream", 10), replay + "jetstream SEED=N")],
    ]


class RandomTests(Chunks):
    """The tests with random inputs, for as long as there is time."""

    def __init__(self, name, share, seed, seconds=1):
        super().__init__(name, share, None, f"repeat a test with HELIUM_PROOF_SEED={seed} HELIUM_PROOF_SECONDS={seconds} "
                                            'Scripts/test.py --filter "NAME"')
        self.seed, self.lengths = seed, seconds

    def run(self, seconds):
        if STOP.is_set():
            return
        begin = time.monotonic()
        self.run_one([sys.executable, "-B", "Scripts/test.py", "--tag", "random", "--jobs", "1", "--order", str(self.seed),
                      "--stop-after", str(seconds), "--logs", os.path.join(LOGS, "fuzz-logs")])
        with open(os.path.join(PACKAGE, LOGS, "fuzz-000.log"), encoding="utf-8", errors="replace") as file:
            self.note = file.read().rstrip().split("\n")[-1]
        if self.status == 0 and self.note.startswith("0 passed"):
            self.status, self.note = SKIPPED, f"no test ran within {max(0, seconds):.0f} s"
        self.seconds = time.monotonic() - begin

    def environment(self):
        return super().environment() | {"HELIUM_PROOF_SEED": str(self.seed), "HELIUM_PROOF_SECONDS": str(self.lengths)}


def prove_slice(seconds, lanes, results):
    """Runs a slice, lanes of parts beside each other, each of which has all of the time; appends a result for each part."""
    with processes.lock(os.path.join(PACKAGE, LOGS)):
        os.makedirs(os.path.join(PACKAGE, LOGS), exist_ok=True)
        run_lanes(seconds, lanes, results)


def run_lanes(seconds, lanes, results):
    STOP.clear()

    end_of_slice = time.monotonic() + seconds

    def run(lane):
        for number, part in enumerate(lane):
            # Of what is left: a part that took longer leaves less to the others.
            part.run((end_of_slice - time.monotonic()) * part.share / sum(other.share for other in lane[number:]))

    threads = [threading.Thread(target=run, args=(lane,), daemon=True) for lane in lanes]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        with LOCK:
            STOP.set()
        for process in list(RUNNING):
            end(process)
        results += [part.result() for lane in lanes for part in lane]


# MARK: The command

def report(results, seed, seconds):
    print(f"prove: ran with seed {seed} in {seconds:.0f} s:")
    counts = collections.Counter()
    for result in results:
        state = {0: "passed", SKIPPED: SKIPPED, NOT_RUN: NOT_RUN}.get(result.status, "failed")
        counts[state] += 1
        print(f"prove: {state if state == 'passed' else state.upper():7} {result.name:10} {result.seconds:7.0f} s  {result.details}")
    others = "".join(f", {counts[state]} {state}" for state in (SKIPPED, NOT_RUN) if counts[state])
    print(f"prove: {counts['passed']} passed, {counts['failed']} failed{others}", flush=True)
    return 1 if counts["failed"] or counts[NOT_RUN] else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=list(parts(1)), help="only this part; default: all")
    parser.add_argument("--seed", type=int, metavar="N", help="default: a number made from the commit")
    parser.add_argument("--slice", type=float, metavar="SECONDS", help="a share of the random proofs, for this time")
    options = parser.parse_args(arguments)
    seed = seed_of_commit() if options.seed is None else options.seed
    if not 0 <= seed < 2**39:
        parser.error("--seed is a number from 0 to 2^39")
    if options.slice and options.part:
        parser.error("a slice has all parts")
    begin, results = time.monotonic(), []
    try:
        if options.slice:
            prove_slice(options.slice, slice_parts(seed), results)
        else:
            prove(options.part or list(parts(seed)), seed, results)
    finally:
        status = report(results, seed, time.monotonic() - begin)
    return status


if __name__ == "__main__":
    processes.exit_at_signals()
    try:
        sys.exit(main(sys.argv[1:]))
    except (processes.LockedError, OSError) as error:
        print(f"prove: error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
