#!/usr/bin/env python3
"""Runs all tests again and again beside two busy loops, and lists each test that failed in any round.

  Scripts/flaky.py [--rounds N] [--seed N] [options of Scripts/test.py]

Each round has another order of suites; the order of a round is its number plus the seed. The logs of a round are in
.build/flaky/ORDER. The exit status is 1 if a test failed, and 2 if the tests could not run or
another run uses that folder.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import processes

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(".build", "flaky")
LOOPS = 2
# Ends when its parent is gone, however that ended.
LOOP = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    for _ in range(1_000_000): pass
"""


def test_command():
    return [sys.executable, "-B", os.path.join(PACKAGE, "Scripts", "test.py")]


def run_round(order, arguments):
    """Runs all tests in one order, and returns the status, the ids of what failed and the last line.

    The ids are `None` if the tests did not run to their end."""
    folder = os.path.join(FOLDER, str(order))
    log = os.path.join(PACKAGE, folder + ".log")
    with open(log, "w", encoding="utf-8") as output:
        process = subprocess.Popen(test_command() + ["--order", str(order), "--logs", folder, *arguments], stdout=output,
                                   stderr=subprocess.STDOUT, cwd=PACKAGE)
        try:
            status = process.wait()
        except BaseException:
            # It ends the tests' processes.
            process.terminate()
            process.wait()
            raise
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read().rstrip().split("\n")
    return status, failed_tests(status, folder), lines[-1]


def failed_tests(status, folder):
    if status == 0:
        return []
    try:
        with open(os.path.join(PACKAGE, folder, "results.json"), encoding="utf-8") as file:
            return json.load(file)["failed"] if status == 1 else None
    except (OSError, ValueError):
        return None


def report(failures, rounds):
    """Lists what failed, with the orders; `failures` are pairs of an order and an id."""
    orders = collections.defaultdict(list)
    for order, name in failures:
        orders[name].append(order)
    for name in sorted(orders):
        print(f"flaky: {name} failed in {len(orders[name])} of {rounds} rounds, orders {', '.join(map(str, orders[name]))}")
    print(f"flaky: {len(orders)} tests failed in {rounds} rounds" + (f"; see {FOLDER}" if orders else ""), flush=True)
    return 1 if orders else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="default: 20")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for other orders (default: 0)")
    options, others = parser.parse_known_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds is 1 or more")
    with processes.lock(os.path.join(PACKAGE, FOLDER)):
        return run_rounds(options, others)


def run_rounds(options, others):
    shutil.rmtree(os.path.join(PACKAGE, FOLDER), ignore_errors=True)
    os.makedirs(os.path.join(PACKAGE, FOLDER))
    loops = [subprocess.Popen([sys.executable, "-c", LOOP, str(os.getpid())], stdin=subprocess.DEVNULL) for _ in range(LOOPS)]
    failures, rounds = [], 0
    try:
        for order in range(options.seed + 1, options.seed + options.rounds + 1):
            start = time.monotonic()
            status, failed, last = run_round(order, others)
            if failed is None:
                print(f"flaky: error: order {order}: exit status {status} without results: {last}", file=sys.stderr)
                return 2
            rounds += 1
            failures += [(order, name) for name in failed]
            print(f"flaky: order {order}: {last}, {time.monotonic() - start:.0f} s", *failed, sep="\n    ", flush=True)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        result = report(failures, rounds)
    return result


if __name__ == "__main__":
    processes.exit_at_signals()
    try:
        sys.exit(main(sys.argv[1:]))
    except processes.LockedError as error:
        print(f"flaky: error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
