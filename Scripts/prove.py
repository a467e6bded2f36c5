#!/usr/bin/env python3
"""Runs the long proofs, or a slice of them, and says at its end what it ran, with seeds and durations.

  Scripts/prove.py [--part PART]… [--seed N]   each part at full length
  Scripts/prove.py --slice SECONDS [--seed N]  a share of the random proofs, with what `make test` has built

The parts go on after one has failed; the exit status is 1 in the end. Without --seed the seed is made from the commit, so
that each commit proves something new. All parts of full length are commands of the Makefile.
"""

import argparse
import collections
import os
import signal
import subprocess
import sys
import threading
import time

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(".build", "prove-logs")
PROCESS = ".build/debug/TestProcess"
CHUNK_LIMIT = 600  # seconds for a chunk of a slice: for hangs only
SEED_LIMIT = 10**9  # below what every part takes
NO_VALGRIND = 77
COST_PARTS = 32  # shares of the patterns, so that one takes less than a minute


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
        "browser": ["test-browser"],
        "bench": ["bench"],
    }


Result = collections.namedtuple("Result", "name seconds status details")


def seed_of_commit():
    result = subprocess.run(["git", "rev-parse", "HEAD"], cwd=PACKAGE, capture_output=True, text=True)
    return int(result.stdout.strip(), 16) % SEED_LIMIT if result.returncode == 0 else 1


def clean_environment(**values):
    """The environment without the variables of the `make` that called this script, which would hold for those it calls too."""
    hidden = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "SEED", "PART", "SLICE")
    return {name: value for name, value in os.environ.items() if name not in hidden} | values


# MARK: Full length

def prove(names, seed, results, make=("make",)):
    """Runs parts, one after the other, and appends a result for each command."""
    for name in names:
        for command in parts(seed)[name]:
            print(f"prove: {name}: make {command}", flush=True)
            start = time.monotonic()
            status = subprocess.run([*make, *command.split()], cwd=PACKAGE, env=clean_environment()).returncode
            results.append(Result(name, time.monotonic() - start, status, f"make {command}"))


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
            start = time.monotonic()
            self.run_one(self.command(self.count))
            self.longest = max(self.longest, time.monotonic() - start)
            self.count += 1
        self.seconds = time.monotonic() - begin

    def run_one(self, arguments):
        log = os.path.join(PACKAGE, LOGS, f"{self.name}-{self.count:03}.log")
        with open(log, "wb") as output:
            # A session of its own, so that what it starts ends with it.
            process = subprocess.Popen(arguments, cwd=PACKAGE, stdout=output, stderr=subprocess.STDOUT,
                                       stdin=subprocess.DEVNULL, start_new_session=True, env=self.environment())
            RUNNING.add(process)
            try:
                self.status = process.wait(timeout=CHUNK_LIMIT)
            except subprocess.TimeoutExpired:
                self.status = None
            finally:
                end(process)
        if self.status == NO_VALGRIND:
            self.status, self.note = 0, "not run: valgrind is missing"
            self.longest = float("inf")
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


RUNNING, STOP = set(), threading.Event()


def end(process):
    """Ends a process and what it started. It may have more to end than its own group, as Scripts/test.py has."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
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

    replay = "repeat a seed with CONFIGURATION=debug make simulate SYSTEM="
    # The parts whose chunks are long come first: those with short ones take what is left.
    return [
        [Chunks("crash", 0.3, kills, "repeat it with this command"),
         Chunks("beast", 0.7, simulation("beast", 5), replay + "beast SEED=N")],
        [Chunks("cost", 0.2, cost, "repeat it with this command"),
         RandomTests("fuzz", 0.4, seed),
         Chunks("jetstream", 0.4, simulation("jetstream", 10), replay + "jetstream SEED=N")],
    ]


class RandomTests(Chunks):
    """The tests with random inputs, for as long as there is time."""

    def __init__(self, name, share, seed, seconds=1):
        super().__init__(name, share, None, f"repeat a test with HELIUM_PROOF_SEED={seed} HELIUM_PROOF_SECONDS={seconds} "
                                            'Scripts/test.py --filter "NAME"')
        self.seed, self.lengths = seed, seconds

    def run(self, seconds):
        start = time.monotonic()
        self.run_one([sys.executable, "-B", "Scripts/test.py", "--tag", "random", "--jobs", "1", "--order", str(self.seed),
                      "--stop-after", str(seconds), "--logs", os.path.join(LOGS, "fuzz-logs")])
        with open(os.path.join(PACKAGE, LOGS, "fuzz-000.log"), encoding="utf-8", errors="replace") as file:
            self.note = file.read().rstrip().split("\n")[-1]
        self.seconds = time.monotonic() - start

    def environment(self):
        return super().environment() | {"HELIUM_PROOF_SEED": str(self.seed), "HELIUM_PROOF_SECONDS": str(self.lengths)}


def prove_slice(seconds, lanes, results):
    """Runs a slice, lanes of parts beside each other, each of which has all of the time; appends a result for each part."""
    os.makedirs(os.path.join(PACKAGE, LOGS), exist_ok=True)
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
        STOP.set()
        for process in list(RUNNING):
            end(process)
        results += [part.result() for lane in lanes for part in lane]


# MARK: The command

def report(results, seed, seconds):
    print(f"prove: ran with seed {seed} in {seconds:.0f} s:")
    for result in results:
        state = "passed" if result.status == 0 else "FAILED"
        print(f"prove: {state} {result.name:10} {result.seconds:7.0f} s  {result.details}")
    failed = sum(1 for result in results if result.status != 0)
    print(f"prove: {len(results) - failed} passed, {failed} failed", flush=True)
    return 1 if failed else 0


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
    start, results = time.monotonic(), []
    try:
        if options.slice:
            prove_slice(options.slice, slice_parts(seed), results)
        else:
            prove(options.part or list(parts(seed)), seed, results)
    finally:
        status = report(results, seed, time.monotonic() - start)
    return status


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
