"""The decisions of Scripts/mutate.py: `python3 -B -m unittest discover -s Tests/Mutations`."""

import json
import os
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Scripts"))

import mutate

ENTRY = {
    "name": "one-try-more",
    "module": "HeliumCore",
    "file": "Sources/HeliumCore/Retry/RetryDecision.swift",
    "find": "attempts < maximum",
    "replace": 'mutant("one-try-more", attempts < maximum, attempts <= maximum)',
    "suites": "HeliumCoreTests.RetryDecisionTests",
}


def mutation(**members):
    return mutate.Mutation(**dict(ENTRY, **members))


def read(*entries):
    return mutate.read_mutations({"HeliumCore.json": json.dumps(entries)})


class Reading(unittest.TestCase):
    def test_mutations_come_in_the_order_of_their_files(self):
        first, second = dict(ENTRY), dict(ENTRY, name="b", replace='if isMutant("b") { } else { }')
        found = mutate.read_mutations({"b.json": json.dumps([first]), "a.json": json.dumps([second])})
        self.assertEqual([mutation.name for mutation in found], ["b", "one-try-more"])

    def test_an_entry_that_is_not_complete_or_consistent_is_an_error_that_names_it(self):
        wrong = [
            {"suites": ""},
            {"suites": None},
            {"extra": "member"},
            {"name": "One_Try"},
            {"module": "HeliumKit"},
            {"replace": 'mutant("one-try-less", a, b)'},
            {"replace": "attempts <= maximum"},
        ]
        for change in wrong:
            with self.subTest(change=change), self.assertRaisesRegex(mutate.MutationError, "HeliumCore.json: (one-try-more|One_Try)"):
                read(dict(ENTRY, **change))
        with self.assertRaisesRegex(mutate.MutationError, "HeliumCore.json"):
            read({})
        with self.assertRaisesRegex(mutate.MutationError, "a.json"):
            mutate.read_mutations({"a.json": "["})

    def test_two_mutations_of_one_name_are_an_error(self):
        with self.assertRaisesRegex(mutate.MutationError, "two mutations one-try-more"):
            read(ENTRY, ENTRY)


class Mutating(unittest.TestCase):
    def test_each_mutation_replaces_its_own_text(self):
        first = mutation(name="a", find="x < 1", replace='mutant("a", x < 1, x <= 1)')
        second = mutation(name="b", find="y == 2", replace='mutant("b", y == 2, true)')
        self.assertEqual(mutate.mutated("if y == 2, x < 1 {", [first, second]),
                         'if mutant("b", y == 2, true), mutant("a", x < 1, x <= 1) {')

    def test_a_text_that_does_not_occur_exactly_once_is_an_error_that_names_the_mutation(self):
        for text, count in (("", 0), ("attempts < maximum; attempts < maximum", 2)):
            with self.subTest(count=count), self.assertRaisesRegex(mutate.MutationError, f"one-try-more: .*{count} times"):
                mutate.mutated(text, [mutation()])

    def test_texts_that_overlap_are_an_error(self):
        with self.assertRaisesRegex(mutate.MutationError, "b: .*overlaps that of a"):
            mutate.mutated("x < y < z", [mutation(name="b", find="y < z"), mutation(name="a", find="x < y")])

    def test_texts_may_touch(self):
        touching = [mutation(name="a", find="x", replace="1"), mutation(name="b", find="y", replace="2")]
        self.assertEqual(mutate.mutated("xy", touching), "12")


class Verdicts(unittest.TestCase):
    PASSED = '◇ Test "a" started.\n✔ Test "a" passed after 0.1 seconds.\n✔ Test run with 1 test in 1 suite passed after 0.1 seconds.\n'
    FAILED = ('◇ Test "waits" started.\n'
              '✘ Test "gives up after "three" attempts" recorded an issue with 1 argument count → 3 at A.swift:1:2: no\n'
              '✘ Test other() recorded an issue at A.swift:1:2: no\n'
              "✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 2 issues.\n")
    CASES = '◇ Test "earlier" started.\n◇ Test case passing 1 argument text → "a" to "quotes" started.\n'

    def verdict(self, status, log):
        return mutate.verdict(mutation(), mutate.Outcome(status, 1.24, log))

    def test_a_run_that_passes_is_a_survivor(self):
        self.assertEqual(self.verdict(0, self.PASSED), (False, "SURVIVED one-try-more (1 tests, 1.2 s)"))

    def test_the_first_test_that_fails_is_the_killer(self):
        self.assertEqual(self.verdict(1, self.FAILED),
                         (True, 'killed one-try-more in 1.2 s by "gives up after "three" attempts"'))

    def test_functions_without_a_name_of_their_own_are_shown_as_they_are(self):
        for name in ("other()", "other(_:count:)"):
            with self.subTest(name=name):
                self.assertEqual(mutate.failed_test(f"✘ Test {name} recorded an issue at A.swift:1:2: no"), name)

    def test_a_crash_kills_and_names_the_test_that_ran(self):
        self.assertEqual(self.verdict(-5, self.CASES), (True, 'killed one-try-more in 1.2 s by a crash in "quotes"'))

    def test_a_run_without_end_is_killed_and_says_so(self):
        self.assertEqual(self.verdict(None, self.CASES), (True, 'killed one-try-more by the limit of 180 s, in "quotes"'))

    def test_a_run_without_tests_shows_nothing(self):
        for status, log in ((69, "✔ Test run with 0 tests in 0 suites passed after 0.1 seconds."), (0, ""), (1, "cannot load")):
            with self.subTest(log=log), self.assertRaisesRegex(mutate.MutationError, "one-try-more: no test ran"):
                self.verdict(status, log)

    def test_known_issues_kill_nothing(self):
        self.assertIsNone(mutate.failed_test('✘ Test "a" recorded a known issue at A.swift:1:2: no'))


class Copy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "a", "b")

    def test_a_file_that_is_as_it_should_be_keeps_its_time(self):
        mutate.update(self.path, b"1")
        os.utime(self.path, (1, 1))
        mutate.update(self.path, b"1")
        self.assertEqual(os.stat(self.path).st_mtime, 1)
        mutate.update(self.path, b"2")
        self.assertNotEqual(os.stat(self.path).st_mtime, 1)

    def test_a_copied_file_has_the_time_and_mode_of_the_original(self):
        os.makedirs(os.path.dirname(self.path))
        original = self.path + "c"
        with open(original, "wb") as file:
            file.write(b"1")
        os.chmod(original, 0o755)
        os.utime(original, (5, 5))
        mutate.update(self.path, b"1", original)
        found = os.stat(self.path)
        self.assertEqual((found.st_mtime, found.st_mode & 0o777), (5, 0o755))

    def test_folders_of_builds_and_of_git_are_not_copied(self):
        for name in ("Sources/a", ".build/b", ".build-mutate/c", ".git/d", ".ci/run"):
            mutate.update(os.path.join(os.path.dirname(self.path), name), b"")
        self.assertEqual(set(mutate.files_below(os.path.dirname(self.path))), {"Sources/a", ".ci/run"})


class Repository(unittest.TestCase):
    """The mutations of this repository."""

    @classmethod
    def setUpClass(cls):
        cls.mutations = mutate.load_mutations()

    def test_each_mutation_fits_the_sources(self):
        texts = mutate.generated_files(self.mutations)
        for mutation in self.mutations:
            self.assertIn(mutation.replace, texts[mutation.file])

    def test_each_mutation_names_suites_that_exist(self):
        names = set()
        for folder, _, files in os.walk(os.path.join(mutate.PACKAGE, "Tests")):
            target = os.path.relpath(folder, os.path.join(mutate.PACKAGE, "Tests")).split(os.sep)[0]
            for name in files:
                if name.endswith(".swift"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        types = re.findall(r"^ *(?:\w+ )*(?:struct|class|enum|actor) (\w+)", file.read(), re.M)
                    names |= {f"{target}.{type}/" for type in types}
        for mutation in self.mutations:
            # Each alternative must match a suite; the end of a suite's name is the slash before a test's.
            for part in mutation.suites.split("|"):
                with self.subTest(mutation=mutation.name, part=part):
                    self.assertTrue(any(re.search(part, name) for name in names))


if __name__ == "__main__":
    unittest.main()
