"""The parts and the slices of Scripts/prove.py, with short commands in the place of the proofs: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loading import HERE, load

prove = load("prove")


def shell(command):
    return ["/bin/sh", "-c", command]


def runs(identifier):
    """Whether a process runs, and is no zombie."""
    result = subprocess.run(["ps", "-o", "stat=", "-p", str(identifier)], capture_output=True, text=True)
    return bool(result.stdout.strip()) and not result.stdout.strip().startswith("Z")


class Parts(unittest.TestCase):
    def test_each_command_is_a_target_of_the_makefile(self):
        with open(os.path.join(HERE, "..", "..", "..", "Makefile"), encoding="utf-8") as file:
            targets = re.findall(r"^([a-z-]+):", file.read(), re.M)
        for commands in prove.parts(1).values():
            for command in commands:
                self.assertIn(command.split()[0], targets)

    def test_the_others_go_on_after_a_failure(self):
        results = []
        with contextlib.redirect_stdout(io.StringIO()) as output:
            prove.prove(["fuzz", "cost"], 7, results, make=shell('[ "$0" != fuzz ]'))
            status = prove.report(results, 7, 12)
        self.assertEqual([result.status for result in results], [1, 0, 0])
        self.assertEqual(status, 1)
        self.assertRegex(output.getvalue(), r"prove: FAILED +fuzz +0 s  make fuzz SEED=7\n")
        self.assertTrue(output.getvalue().endswith("prove: 2 passed, 1 failed\n"))

    def test_an_interrupt_ends_what_runs_and_names_what_did_not(self):
        # Python leaves SIGINT ignored if it was started so, as in the background of a script.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        results = []
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as output:
            # A background process of a script ignores SIGINT.
            make = shell(f'trap "" INT; sleep 60 & echo $! >{folder}/new; mv {folder}/new {folder}/pid; wait')
            original = subprocess.Popen.wait

            def wait(process, timeout=None):
                if timeout is None and process.poll() is None:
                    while not os.path.exists(os.path.join(folder, "pid")):
                        time.sleep(0.01)
                    os.kill(os.getpid(), signal.SIGINT)
                return original(process, timeout)

            with unittest.mock.patch.object(subprocess.Popen, "wait", wait), self.assertRaises(KeyboardInterrupt):
                prove.prove(["fuzz", "cost"], 7, results, make=make)
            status = prove.report(results, 7, 12)
            with open(os.path.join(folder, "pid"), encoding="utf-8") as file:
                self.assertFalse(runs(int(file.read())))
        self.assertEqual([result.status for result in results], [None, prove.NOT_RUN, prove.NOT_RUN])
        self.assertEqual(status, 1)
        self.assertIn("make fuzz SEED=7: ended\n", output.getvalue())
        self.assertRegex(output.getvalue(), r"prove: NOT RUN cost +0 s  make cost\n")
        self.assertTrue(output.getvalue().endswith("prove: 0 passed, 1 failed, 2 not run\n"))

    def test_without_git_there_is_a_seed(self):
        with unittest.mock.patch.dict(os.environ, {"PATH": ""}):
            self.assertEqual(prove.seed_of_commit(), 1)

    def test_variables_of_the_calling_make_are_not_passed_on(self):
        os.environ |= {"MAKEFLAGS": "SEED=3", "SEED": "3"}
        self.addCleanup(os.environ.pop, "MAKEFLAGS")
        self.addCleanup(os.environ.pop, "SEED")
        self.assertFalse({"MAKEFLAGS", "SEED"} & set(prove.clean_environment()))

    def test_seeds_are_those_that_the_programs_take(self):
        self.assertLess(prove.seed_of_commit(), prove.SEED_LIMIT)
        crash = prove.slice_parts(prove.SEED_LIMIT)[0][0].command(3)
        self.assertLess(int(crash[crash.index("--seed") + 1]), 1_000_000)


class Slices(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.before = prove.PACKAGE
        prove.PACKAGE = folder.name
        self.addCleanup(lambda: setattr(prove, "PACKAGE", self.before))

    def part(self, command, share=1):
        return prove.Chunks("part", share, lambda number: shell(command.replace("N", str(number))), "repeat it")

    def run_slice(self, seconds, *lanes):
        results = []
        with contextlib.redirect_stdout(io.StringIO()) as output:
            prove.prove_slice(seconds, lanes, results)
        return results, output.getvalue()

    def test_a_part_goes_on_until_its_time_is_over_and_ends_between_two_chunks(self):
        part = self.part("sleep 0.2; touch ended-N")
        results, _ = self.run_slice(1, [part])
        self.assertIn(part.count, range(1, 6))
        self.assertEqual(sorted(name for name in os.listdir(prove.PACKAGE) if name.startswith("ended")),
                         [f"ended-{number}" for number in range(part.count)])
        self.assertEqual(results[0].status, 0)

    def test_each_part_runs_once_though_there_is_no_time(self):
        results, _ = self.run_slice(0, [self.part("true"), self.part("true")])
        self.assertEqual([result.status for result in results], [0, 0])
        self.assertIn("1 times", results[1].details)

    def test_lanes_are_beside_each_other(self):
        first = self.part("touch first; until [ -e second ]; do sleep 0.02; done")
        second = self.part("touch second; until [ -e first ]; do sleep 0.02; done")
        results, _ = self.run_slice(0, [first], [second])
        self.assertEqual([result.status for result in results], [0, 0])

    def test_a_failure_ends_its_part_and_is_told_with_its_output(self):
        results, output = self.run_slice(3, [self.part("echo simulation: passed seed N; echo simulation: FAILED seed N; exit N"), self.part("true")])
        self.assertEqual([result.status for result in results], [1, 0])
        self.assertIn("prove: error: part: status 1: /bin/sh -c", output)
        self.assertIn("    simulation: FAILED seed 1\n    repeat it\n", output)
        self.assertNotIn("    simulation: passed", output)

    def test_a_part_that_does_not_come_to_its_end_is_a_failure(self):
        def trap(_):
            sys.exit()

        results, _ = self.run_slice(1, [prove.Chunks("part", 1, trap, "repeat it"), self.part("true")])
        self.assertEqual([(result.status, result.details) for result in results], [(None, "did not come to its end")] * 2)

    def test_a_part_without_its_tool_says_so(self):
        results, _ = self.run_slice(1, [self.part("exit 77")])
        self.assertEqual((results[0].status, results[0].details), (prove.SKIPPED, "valgrind is missing"))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(prove.report(results, 7, 1), 0)
        self.assertIn("prove: SKIPPED part ", output.getvalue())
        self.assertTrue(output.getvalue().endswith("prove: 0 passed, 0 failed, 1 skipped\n"))

    def random_tests(self, last):
        part = prove.RandomTests("fuzz", 1, 7)
        run_one = part.run_one
        part.run_one = lambda arguments: run_one(shell(f"echo '{last}'"))
        return part

    def test_random_tests_that_got_no_time_are_skipped_and_say_so(self):
        for last, expected in (("0 passed, 0 failed", (prove.SKIPPED, "no test ran within 0 s")),
                               ("3 passed, 0 failed", (0, "3 passed, 0 failed"))):
            results, _ = self.run_slice(0, [self.random_tests(last)])
            self.assertEqual((results[0].status, results[0].details), expected)

    def test_nothing_begins_after_the_end(self):
        def trap(_):
            prove.STOP.set()
            return shell("touch begun")

        results, _ = self.run_slice(1, [prove.Chunks("part", 1, trap, "repeat it"), self.random_tests("3 passed, 0 failed")])
        self.assertEqual(os.listdir(prove.PACKAGE + "/.build/prove-logs"), ["part-000.log"])
        self.assertEqual(results[1].details, "did not come to its end")
        self.assertFalse(os.path.exists(os.path.join(prove.PACKAGE, "begun")))

    def test_two_slices_do_not_share_a_folder_of_logs(self):
        with prove.processes.lock(os.path.join(prove.PACKAGE, prove.LOGS)), self.assertRaises(prove.processes.LockedError):
            self.run_slice(1, [self.part("true")])

    def test_a_chunk_that_hangs_is_ended(self):
        before, prove.CHUNK_LIMIT = prove.CHUNK_LIMIT, 0.3
        try:
            results, output = self.run_slice(1, [self.part("sleep 60")])
        finally:
            prove.CHUNK_LIMIT = before
        self.assertIsNone(results[0].status)
        self.assertIn("part: no end after 0.3 s", output)


if __name__ == "__main__":
    unittest.main()
