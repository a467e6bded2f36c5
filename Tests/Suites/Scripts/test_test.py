"""What Scripts/test.py does with a program that behaves as the test binary does: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import collections
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from loading import HERE, load


test = load("test")


def id_of(suite, name, line=1):
    return f"{suite}/{name}()/File.swift:{line}:6"


def record(identifier, kind="function", line=1, path="File.swift", title=None):
    name = identifier.split("/")[-2 if kind == "function" else -1].split(".")[-1]
    place = {"fileID": "M/File.swift", "line": line, "column": 6, "_filePath": path}
    payload = {"kind": kind, "id": identifier, "name": name, "sourceLocation": place}
    return json.dumps({"kind": "test", "payload": payload | ({"displayName": title} if title else {})})


class Listing(unittest.TestCase):
    def tags(self, source, line=1):
        return test.tags_at(source, line)

    def test_tags_are_those_of_the_attribute_on_the_line(self):
        source = '@Suite(.tags(.client))\nstruct A {\n    @Test("a (b", .timeLimit(.minutes(1)), .tags(.alone, .random))\n    func f() {}\n}'
        self.assertEqual(self.tags(source), {"client"})
        self.assertEqual(self.tags(source, 3), {"alone", "random"})
        self.assertEqual(self.tags(source, 2), set())

    def test_an_attribute_can_have_several_lines(self):
        source = '@Test(\n    """\n    a name with ) and \\\n    .tags(.client)\n    """,\n    .tags(\n        .alone\n    )\n)\nfunc f() {}'
        self.assertEqual(self.tags(source), {"alone"})

    def test_an_attribute_without_parentheses_has_none(self):
        self.assertEqual(self.tags("@Test func f() { g(.tags(.alone)) }"), set())
        self.assertEqual(self.tags("struct A { func f() { g(.tags(.alone)) } }"), set())

    def test_tests_have_the_tags_of_their_suites(self):
        source = '@Suite(.tags(.alone)) struct A {\n @Test func f() {}\n @Suite struct B {\n @Test(.tags(.random)) func g() {}\n } }'
        lines = [record("M.A", "suite", 1), record(id_of("M.A", "f", 2), line=2), record("M.A/B", "suite", 3),
                 record(id_of("M.A/B", "g", 4), line=4, title="does g")]
        self.assertEqual(test.read_tests(lines, lambda _: source), [
            test.Test(id_of("M.A", "f", 2), "f()", "M.A", {"alone"}),
            test.Test(id_of("M.A/B", "g", 4), "does g", "M.A", {"alone", "random"}),
        ])

    def test_a_function_outside_of_suites_is_a_unit(self):
        found = test.read_tests([record("M.f()/File.swift:1:6")], lambda _: "@Test func f() {}")
        self.assertEqual(found[0].unit, "M.f()")

    def test_tags_that_no_test_has_are_an_error(self):
        source = "@Suite struct A {\n @Test func f() {}\n static let tags = Trait.tags(.alone)\n}"
        with self.assertRaisesRegex(test.UsageError, "1 times tags for this script, but 0"):
            test.read_tests([record(id_of("M.A", "f", 2), line=2)], lambda _: source)


    def test_a_source_with_longer_proofs_needs_the_tag_that_finds_them(self):
        for use in ("count(3)", "rounds(3)", "seeds(3)"):
            source = f"@Test func f() {{ g(ProofLength.{use}) }}"
            with self.assertRaisesRegex(test.UsageError, "uses ProofLength, but none of its tests has `.tags\\(.random\\)`"):
                test.read_tests([record(id_of("M.A", "f"))], lambda _: source)
            test.read_tests([record(id_of("M.A", "f"))], lambda _: source.replace("@Test", "@Test(.tags(.random))"))
        test.read_tests([record(id_of("M.A", "f"))], lambda _: "@Test func f() { g(ProofLength.seed(3)) }")


class Division(unittest.TestCase):
    def cases(self, *sizes):
        return [test.Test(id_of(f"M.S{unit:02}", f"f{number}"), "", f"M.S{unit:02}", frozenset())
                for unit, size in enumerate(sizes) for number in range(size)]

    def test_patterns_match_whole_suites_and_nothing_else(self):
        tests = [test.Test(id_of(suite, "f"), "", suite, frozenset()) for suite in ("M.A", "M.AB", "N.A", "M.A+B")]
        for chosen in tests:
            patterns = test.patterns([chosen], tests)
            matching = [each for each in tests if any(test.re.search(pattern, each.id) for pattern in patterns)]
            self.assertEqual(matching, [chosen])

    def test_patterns_of_parts_of_a_suite_name_its_tests(self):
        tests = self.cases(2, 1)
        self.assertEqual(len(test.patterns(tests[1:], tests)), 2)
        matching = [each for each in tests if any(test.re.search(pattern, each.id) for pattern in test.patterns(tests[1:], tests))]
        self.assertEqual(matching, tests[1:])

    def test_no_pattern_is_longer_than_an_argument_may_be(self):
        names = [f"a{number:04}" for number in range(1000)]
        found = test.parts(names, most=60)
        self.assertEqual(sum(found, []), names)
        self.assertEqual({len(part) for part in found}, {10})
        self.assertEqual(test.parts(["a" * 99, "b"], most=60), [["a" * 99], ["b"]])
        tests = [test.Test(id_of("M.A", "f" * 600 + str(number)), "", "M.A", frozenset()) for number in range(301)]
        patterns = test.patterns(tests[1:], tests)
        self.assertGreater(len(patterns), 1)
        self.assertLess(max(map(len, patterns)), 128 * 1024)
        self.assertEqual([each for each in tests if any(test.re.search(pattern, each.id) for pattern in patterns)], tests[1:])

    def batches(self, tests, durations, jobs=2, order=None):
        queue, found = test.Queue(tests, durations, jobs, order), []
        while batch := queue.next():
            found.append(batch)
        return found

    def test_each_test_is_in_one_batch(self):
        tests = self.cases(*range(1, 40))
        for order in (None, test.random.Random(7)):
            batches = self.batches(tests, {"M.S03": 100}, order=order)
            self.assertEqual(sorted(sum(batches, [])), sorted(tests))

    def test_the_longest_come_first_and_the_last_batches_are_short(self):
        tests = self.cases(*[1] * 50)
        durations = {f"M.S{unit:02}": float(unit) for unit in range(50)}
        batches = self.batches(tests, durations)
        seconds = [sum(durations[each.unit] for each in batch) for batch in batches]
        self.assertEqual(batches[0][0].unit, "M.S49")
        self.assertLess(seconds[-1], 2 * test.LEAST_BATCH)
        self.assertLess(len(batches), 25)

    def test_two_processes_end_together(self):
        generator = test.random.Random(3)
        tests = self.cases(*[2] * 300)
        durations = {f"M.S{unit:02}": generator.expovariate(1) for unit in range(300)}
        ends = [0.0, 0.0]
        for batch in self.batches(tests, durations):
            # Each process takes the next batch when it is free; the durations are those of another day.
            ends[ends.index(min(ends))] += sum(durations[unit] * generator.uniform(0.5, 2) for unit in {each.unit for each in batch})
        self.assertLess(max(ends) - min(ends), 2 * test.LEAST_BATCH)

    def test_an_order_is_another_one_but_repeats(self):
        tests = self.cases(*[1] * 30)
        first, second, other = (self.batches(tests, {}, order=test.random.Random(seed)) for seed in (1, 1, 2))
        self.assertEqual(first, second)
        self.assertNotEqual(first, other)


class Messages(unittest.TestCase):
    def test_the_middle_of_a_long_message_is_left_out(self):
        lines = test.indented("\n".join(map(str, range(100)))).split("\n")
        self.assertEqual(len(lines), test.LONGEST_TEXT + 1)
        self.assertEqual((lines[0], lines[20], lines[-1]), ("    0", "    … 60 lines, which are in the logs …", "    99"))
        self.assertEqual(test.indented("a\nb"), "    a\n    b")


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.source = os.path.join(self.folder, "File.swift")
        self.log = os.path.join(self.folder, "log")

    def run_tests(self, tests, *arguments, tagged=(), keeps_list=False):
        """Runs the script with a binary that has the tests, pairs of an id and an action; its status and its output."""
        with open(self.source, "w", encoding="utf-8") as file:
            for identifier, _ in tests:
                file.write("@Test(.tags(.alone)) func f() {}\n" if identifier in tagged else "@Test func f() {}\n")
        description = os.path.join(self.folder, "tests.json")
        with open(description, "w", encoding="utf-8") as file:
            json.dump({"tests": tests, "path": self.source}, file)
        open(self.log, "w", encoding="utf-8").close()
        known = os.path.join(self.folder, test.TESTS)
        if not keeps_list and os.path.exists(known):
            os.remove(known)
        os.environ |= {"FAKE_TESTS": description, "FAKE_LOG": self.log, "SWIFT_DETERMINISTIC_HASHING": "1"}
        output = io.StringIO()
        before = test.FOLDER
        test.FOLDER = self.folder
        try:
            with contextlib.redirect_stdout(output):
                status = test.main([*arguments, "--binary", os.path.join(HERE, "fake_tests.py"), "--logs", os.path.join(self.folder, "logs")])
        finally:
            test.FOLDER = before
        self.last = output.getvalue().rstrip().split("\n")[-1]
        return status, output.getvalue()

    def ran(self):
        with open(self.log, encoding="utf-8") as file:
            return [line.split()[0] for line in file]

    def cases(self, **actions):
        return [(id_of("M." + name.split("_")[0], name), action) for name, action in actions.items()]

    def test_each_test_runs_once_with_random_hashing(self):
        tests = self.cases(**{f"S{number}_{part}": "pass" for number in range(20) for part in range(3)})
        status, output = self.run_tests(tests)
        self.assertEqual((status, self.last), (0, "60 passed, 0 failed"))
        self.assertEqual(sorted(self.ran()), sorted(identifier for identifier, _ in tests))
        with open(self.log, encoding="utf-8") as file:
            self.assertEqual({line.split()[1] for line in file}, {"-"})
        self.assertIn("the 10 slowest tests", output)

    def test_a_failure_is_told_twice_and_counted(self):
        status, output = self.run_tests(self.cases(A_a="pass", A_b="fail", B_a="pass"))
        self.assertEqual((status, self.last), (1, "2 passed, 1 failed"))
        self.assertEqual(output.count("Expectation failed: 1 == 2\n    a comment"), 2)
        self.assertLess(output.index("slowest tests"), output.index("test: error: failed:"))
        self.assertIn('"does fail" (M.A)', output)

    def test_an_issue_after_the_end_of_its_test_is_a_failure(self):
        status, output = self.run_tests(self.cases(A_a="pass", A_b="late"))
        self.assertEqual((status, self.last), (1, "1 passed, 1 failed"))
        self.assertIn('test: error: failed:\n"does late" (M.A)\n    the task failed', output)

    def test_a_test_that_is_cancelled_after_an_issue_has_failed(self):
        status, output = self.run_tests(self.cases(A_a="pass", A_b="cancel"))
        self.assertEqual((status, self.last), (1, "1 passed, 1 failed"))
        self.assertIn("Expectation failed: 1 == 2", output)

    def test_an_exit_status_without_a_failure_is_one_whatever_fails_in_other_processes(self):
        for other in ("fail", "suite", "pass"):
            tests = self.cases(A_a=other, B_a="status")
            status, output = self.run_tests(tests, tagged=[tests[1][0]])  # for a process of its own
            self.assertEqual(status, 1)
            self.assertIn("M.B\n    the process ended with exit status 1, but reported no failure", output)

    def test_skipped_tests_are_counted_and_listed_with_their_reason(self):
        status, output = self.run_tests(self.cases(A_a="pass", A_b="skip"))
        self.assertEqual((status, self.last), (0, "1 passed, 0 failed, 1 skipped"))
        self.assertIn('skipped: "does skip" (M.A): no tool: install it\n', output)

    def test_known_issues_and_warnings_are_listed(self):
        status, output = self.run_tests(self.cases(A_a="known", A_b="warn"))
        self.assertEqual((status, self.last), (0, "2 passed, 0 failed"))
        self.assertIn('known issue: "does known" (M.A)', output)
        self.assertIn('warning: "does warn" (M.A)', output)

    def test_a_crash_fails_the_running_test_and_the_others_go_on(self):
        tests = self.cases(A_a="pass", A_b="crash", A_c="pass", A_d="fail", B_a="pass")
        status, output = self.run_tests(tests, "--jobs", "1")
        self.assertEqual((status, self.last), (1, "3 passed, 2 failed"))
        self.assertIn('failed: "does crash" (M.A)\n    the process ended with SIGSEGV; the end of ', output)
        self.assertIn("Fatal error: index out of range", output)
        self.assertEqual(len(self.ran()), 5)

    def test_an_exit_in_the_middle_is_a_failure(self):
        status, output = self.run_tests(self.cases(A_a="exit", A_b="pass"))
        self.assertEqual((status, self.last), (1, "1 passed, 1 failed"))
        self.assertIn("the process ended with exit status 7", output)

    def at_a_hang(self, change):
        """Calls a function with the run whenever its processes are looked at, and whether a test hangs."""
        original = test.Run.look_at

        def look_at(run, process):
            change(run, any(run.chosen[name].title == "does hang" for name in process.started))
            original(run, process)

        return unittest.mock.patch.object(test.Run, "look_at", look_at)

    def test_a_test_that_hangs_is_ended_and_named(self):
        with self.at_a_hang(lambda run, hangs: setattr(run.options, "test_limit", 0 if hangs else 600)):
            status, output = self.run_tests(self.cases(A_a="pass", A_b="hang", A_c="pass"))
        self.assertEqual((status, self.last), (1, "2 passed, 1 failed"))
        self.assertIn('failed: "does hang" (M.A)\n    did not end within 0 s', output)

    def test_the_limit_of_the_run_names_the_running_test_and_what_did_not_run(self):
        with self.at_a_hang(lambda run, hangs: setattr(run, "deadline", run.start if hangs else run.deadline)):
            status, output = self.run_tests(self.cases(A_a="pass", A_b="hang", A_c="pass"))
        self.assertEqual((status, self.last), (1, "1 passed, 2 failed"))
        self.assertIn('failed: "does hang" (M.A)\n    was running when the limit of 3600 s for all tests was over', output)
        self.assertIn("1 tests did not run:\n    M.A/A_c()", output)

    def test_a_test_that_is_listed_but_does_not_run_is_a_failure(self):
        status, output = self.run_tests(self.cases(A_a="pass", A_b="unlisted"))
        self.assertEqual((status, self.last), (1, "1 passed, 1 failed"))
        self.assertIn("1 tests did not run:\n    M.A/A_b()", output)

    def test_a_failure_of_a_suite_is_counted(self):
        status, output = self.run_tests(self.cases(A_a="suite", A_b="pass"))
        self.assertEqual((status, self.last), (1, "2 passed, 1 failed"))
        self.assertIn("test: error: failed:\nM.A\n    the suite failed", output)

    def test_a_test_that_fails_before_it_begins_is_counted(self):
        status, output = self.run_tests(self.cases(A_a="trait", A_b="pass"))
        self.assertEqual((status, self.last), (1, "1 passed, 1 failed"))
        self.assertIn("the trait failed", output)

    def test_a_filter_selects_tests_and_one_that_matches_nothing_is_an_error(self):
        tests = self.cases(A_a="pass", A_b="fail", B_a="pass")
        self.assertEqual(self.run_tests(tests, "--filter", "does pass")[0], 0)
        self.assertEqual(self.last, "2 passed, 0 failed")
        self.assertEqual(self.run_tests(tests, "--filter", "A_a", "--filter", "B_")[0], 0)
        self.assertEqual(self.run_tests(tests, "--filter", "M.A", "--skip", "A_b")[0], 0)
        self.assertEqual(self.last, "1 passed, 0 failed")
        with self.assertRaisesRegex(test.UsageError, "no test matches nothing"):
            self.run_tests(tests, "--filter", "nothing", "--filter", "A_a")
        with self.assertRaisesRegex(test.UsageError, "no test matches all options"):
            self.run_tests(tests, "--filter", "A_a", "--tag", "alone")
        self.assertEqual(self.ran(), [])

    def test_what_is_alone_runs_after_everything_else(self):
        tests = self.cases(**{f"S{number}": "pass" for number in range(9)})
        status, _ = self.run_tests(tests, tagged=[tests[0][0], tests[4][0]])
        self.assertEqual(status, 0)
        self.assertEqual(sorted(self.ran()[-2:]), [tests[0][0], tests[4][0]])

    def test_a_tag_selects_tests(self):
        tests = self.cases(A_a="pass", A_b="fail")
        self.assertEqual(self.run_tests(tests, "--tag", "alone", tagged=[tests[0][0]])[0], 0)
        self.assertEqual(self.last, "1 passed, 0 failed")

    def test_repetitions_end_with_the_first_failure(self):
        self.assertEqual(self.run_tests(self.cases(A_a="pass", B_a="pass"), "--repeat", "3")[0], 0)
        self.assertEqual(collections.Counter(self.ran()).most_common()[-1][1], 3)
        self.assertEqual(self.run_tests(self.cases(A_a="fail"), "--repeat", "3")[0], 1)
        self.assertEqual((self.last, len(self.ran())), ("0 passed, 1 failed", 1))

    def test_a_failure_ends_the_repetitions_of_its_process_only(self):
        for action in ("fail", "crash"):
            status, output = self.run_tests(self.cases(A_a="pass", A_b=action, B_a="pass"), "--repeat", "3")
            self.assertEqual((status, self.last), (1, "2 passed, 1 failed"))
            self.assertNotIn(" times", output)

    def test_two_runs_do_not_share_a_folder_of_logs(self):
        logs = os.path.join(self.folder, "logs")
        with test.processes.lock(logs), self.assertRaisesRegex(test.processes.LockedError, f"another run uses {logs}"):
            self.run_tests(self.cases(A_a="pass"))
        self.assertEqual(self.run_tests(self.cases(A_a="pass"))[0], 0)

    def test_the_list_of_the_tests_has_a_limit(self):
        with unittest.mock.patch.object(test, "LIST_LIMIT", 0), self.assertRaisesRegex(test.UsageError, "no end after 0 s"):
            self.run_tests(self.cases(A_a="pass"))

    def test_where_swiftpm_runs_the_tests_its_options_are_refused(self):
        for arguments in (["--tag", "alone"], ["--order", "1"], ["--list"], ["--stop-after", "3"], ["--test-limit", "9"], ["--limit", "9"]):
            with self.assertRaisesRegex(test.UsageError, f"^{arguments[0]} cannot be used on macOS"):
                test.run_in_one_process(test.parse(arguments))

    def test_no_suite_begins_after_the_time_to_stop(self):
        status, _ = self.run_tests(self.cases(A_a="pass", B_a="pass"), "--stop-after", "0")
        self.assertEqual((status, self.last), (0, "0 passed, 0 failed"))

    def test_the_durations_of_suites_are_kept(self):
        self.run_tests(self.cases(A_a="pass", B_a="pass", B_b="fail"))
        self.run_tests(self.cases(A_a="pass", C_a="pass", C_b="pass"), "--filter", "C_a")
        self.assertEqual(sorted(test.read_json(os.path.join(self.folder, "test-durations.json"))), ["M.A"])

    def test_the_list_of_a_build_is_kept(self):
        tests = self.cases(A_a="pass", B_a="pass")
        self.run_tests(tests, tagged=[tests[0][0]])
        status, _ = self.run_tests(tests, "--tag", "alone", keeps_list=True)
        self.assertEqual((status, self.last), (0, "1 passed, 0 failed"))

    def test_results_name_what_failed(self):
        self.run_tests(self.cases(A_a="pass", B_a="fail", B_b="unlisted"))
        results = test.read_json(os.path.join(self.folder, "logs", "results.json"))
        self.assertEqual(results["failed"], [id_of("M.B", "B_a"), id_of("M.B", "B_b")])


if __name__ == "__main__":
    unittest.main()
