"""The rounds of Scripts/flaky.py, with a program in the place of Scripts/test.py: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loading import load

flaky = load("flaky")

# Fails in odd rounds, and writes what the real one writes.
ROUND = """
import json, os, sys
order = int(sys.argv[sys.argv.index("--order") + 1])
folder = os.path.join(os.environ["ROUNDS"], sys.argv[sys.argv.index("--logs") + 1])
os.makedirs(folder)
failed = ["M.A/f()"] if order % 2 else []
json.dump({"failed": failed}, open(os.path.join(folder, "results.json"), "w"))
print("some output", sys.argv[5:])
print("the last line")
if order == 11: os.remove(os.path.join(folder, "results.json"))
sys.exit(2 if order == 9 else 1 if failed else 0)
"""

# Starts a loop and ends without it.
START = """
import os, subprocess, sys
command = [sys.executable, "-c", sys.argv[1], str(os.getpid())]
print(subprocess.Popen(command, stdout=subprocess.DEVNULL).pid)
"""


class Rounds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.before = flaky.PACKAGE, flaky.test_command
        os.environ["ROUNDS"] = flaky.PACKAGE = folder.name
        flaky.test_command = lambda: [sys.executable, "-c", ROUND]
        self.addCleanup(self.restore)

    def restore(self):
        flaky.PACKAGE, flaky.test_command = self.before

    def run_rounds(self, *arguments):
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            status = flaky.main(list(arguments))
        return status, output.getvalue()

    def test_what_failed_in_any_round_is_listed_with_its_orders(self):
        status, output = self.run_rounds("--rounds", "3")
        self.assertEqual(status, 1)
        self.assertIn("flaky: M.A/f() failed in 2 of 3 rounds, orders 1, 3\n", output)
        self.assertIn("flaky: 1 tests failed in 3 rounds; see", output)

    def test_rounds_without_a_failure_pass(self):
        status, output = self.run_rounds("--rounds", "1", "--seed", "1")
        self.assertEqual(status, 0)
        self.assertIn("flaky: 0 tests failed in 1 rounds\n", output)

    def test_two_loops_are_busy_until_the_end(self):
        loops = []
        start = subprocess.Popen

        def record(command, **options):
            process = start(command, **options)
            if command[2] == flaky.LOOP:
                loops.append(process)
            elif command[2] == ROUND:
                self.assertEqual([loop.poll() for loop in loops], [None, None])
            return process

        with unittest.mock.patch("subprocess.Popen", record):
            self.run_rounds("--rounds", "1")
        self.assertEqual([loop.poll() for loop in loops], [-signal.SIGKILL] * 2)

    def test_tests_that_cannot_run_are_an_error(self):
        status, output = self.run_rounds("--rounds", "2", "--seed", "8")
        self.assertEqual(status, 2)
        self.assertIn("flaky: error: order 9: exit status 2", output)
        status, output = self.run_rounds("--rounds", "1", "--seed", "10")
        self.assertEqual(status, 2)
        self.assertIn("flaky: error: order 11: exit status 1 without results: the last line", output)

    def test_no_round_is_a_usage_error(self):
        for rounds in ("0", "-1"):
            with self.assertRaises(SystemExit) as end:
                self.run_rounds("--rounds", rounds)
            self.assertEqual(end.exception.code, 2)

    def test_two_runs_do_not_share_a_folder(self):
        with flaky.processes.lock(os.path.join(flaky.PACKAGE, flaky.FOLDER)), self.assertRaises(flaky.processes.LockedError):
            self.run_rounds("--rounds", "1")

    def test_options_for_the_tests_are_passed_on(self):
        self.run_rounds("--rounds", "1", "--filter", "Name")
        with open(os.path.join(flaky.PACKAGE, flaky.FOLDER, "1.log"), encoding="utf-8") as file:
            self.assertIn("['--filter', 'Name']", file.read())

    def test_a_loop_ends_with_its_parent(self):
        parent = subprocess.run([sys.executable, "-c", START, flaky.LOOP], stdout=subprocess.PIPE, text=True, check=True)
        for _ in range(600):
            try:
                os.kill(int(parent.stdout), 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        self.fail("the loop goes on")


if __name__ == "__main__":
    unittest.main()
