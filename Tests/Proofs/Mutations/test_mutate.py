"""The decisions of Scripts/mutate.py: `python3 -B -m unittest discover -s Tests/Proofs/Mutations`."""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Scripts"))

import mutate

ENTRY = {
    "name": "one-try-more",
    "module": "HeliumCore",
    "function": "RetryDecision.make",
    "tokens": "<",
    "becomes": "<=",
    "suites": "HeliumCoreTests.RetryDecisionTests",
}
CHANGE = {member: ENTRY[member] for member in ("function", "tokens", "becomes")}


def without(*members, **others):
    return {member: value for member, value in ENTRY.items() if member not in members} | others


def read(*entries):
    return mutate.read_mutations({"HeliumCore.json": json.dumps(entries)})


class Reading(unittest.TestCase):
    def test_mutations_come_in_the_order_of_their_files(self):
        found = mutate.read_mutations({"b.json": json.dumps([ENTRY]), "a.json": json.dumps([dict(ENTRY, name="b")])})
        self.assertEqual([(mutation.document, mutation.name) for mutation in found], [("a", "b"), ("b", "one-try-more")])

    def test_an_entry_has_one_change_or_several(self):
        one, two = mutate.Change("RetryDecision.make", "tokens", "<", "<="), mutate.Change("A.f", "statement", "b(", "c()\n…")
        self.assertEqual(read(ENTRY)[0].changes, (one,))
        several = [CHANGE, {"function": "A.f", "statement": "b(", "becomes": ["c()", "…"]}]
        self.assertEqual(read(without(*CHANGE, changes=several))[0].changes, (one, two))

    def test_planted_faults_have_no_suites(self):
        faults = mutate.read_mutations({"beast.json": json.dumps([without("suites")])}, have_suites=False)
        self.assertEqual(faults[0].document, "beast")
        with self.assertRaisesRegex(mutate.MutationError, "one-try-more"):
            mutate.read_mutations({"beast.json": json.dumps([ENTRY])}, have_suites=False)

    def test_an_entry_that_is_not_complete_or_consistent_is_an_error_that_names_it(self):
        wrong = [
            dict(ENTRY, suites=""),
            dict(ENTRY, suites=None),
            dict(ENTRY, extra="member"),
            dict(ENTRY, name="One_Try"),
            dict(ENTRY, tokens=""),
            dict(ENTRY, becomes=1),
            dict(ENTRY, expression="a"),
            dict(ENTRY, changes=[CHANGE]),
            without("becomes"),
            without("function"),
            without("tokens"),
            without("tokens", condition="a"),
            without("tokens", expression="a", becomes=""),
            without("tokens", clause="a", becomes="b"),
            without(*CHANGE, changes=[]),
            without(*CHANGE, changes=CHANGE),
        ]
        for entry in wrong:
            error = "HeliumCore.json: (one-try-more|One_Try)"
            with self.subTest(entry=entry), self.assertRaisesRegex(mutate.MutationError, error):
                read(entry)
        with self.assertRaisesRegex(mutate.MutationError, "HeliumCore.json"):
            read({})
        with self.assertRaisesRegex(mutate.MutationError, "a.json"):
            mutate.read_mutations({"a.json": "["})


class Changes(unittest.TestCase):
    """What a change does to the body of a function: in the copy with all mutations, and by itself."""

    def fitting(self, body, *changes):
        changes = [{"function": "f", kind: pattern, "becomes": becomes} for kind, pattern, becomes in changes]
        mutations = read(without(*CHANGE, name="m", changes=changes))
        texts = {"Sources/HeliumCore/A.swift": f"func f() {{\n{body}\n}}\n"}
        return mutate.Fitting(mutations, lambda module: texts), mutations[0]

    def expect(self, body, change, copy, plain):
        fitting, _ = self.fitting(body, change)
        path = "Sources/HeliumCore/A.swift"
        around = ("func f() {\n", "\n}\n")
        self.assertEqual(fitting.files()[path].removeprefix(around[0]).removesuffix(around[1]), copy)
        by_hand = mutate.unmasked(fitting.text(path), fitting.edits[path])
        self.assertEqual(by_hand.removeprefix(around[0]).removesuffix(around[1]), plain)

    def test_an_expression_becomes_another(self):
        self.expect("if a, b.c(d) { }", ("expression", "c(", "true"), 'if a, mutant("m", b.c(d), true) { }', "if a, true { }")

    def test_an_expression_keeps_what_it_was_in_place_of_the_hole(self):
        self.expect("f(a: b, c)", ("expression", "a: …", "d ? … : … + 1"),
                    'f(a: mutant("m", b, d ? b : b + 1), c)', "f(a: d ? b : b + 1, c)")
        self.expect("f(a: b ?? c)", ("expression", "a: …", "… + 1"),
                    'f(a: mutant("m", b ?? c, (b ?? c) + 1))', "f(a: (b ?? c) + 1)")

    def test_tokens_become_others_in_their_expression(self):
        self.expect("guard a < b else { }", ("tokens", "<", "<="),
                    'guard mutant("m", a < b, a <= b) else { }', "guard a <= b else { }")
        self.expect("let a = b - 1", ("tokens", "- 1", ""), 'let a = mutant("m", b - 1, b)', "let a = b")

    def test_tokens_may_have_a_hole(self):
        self.expect("x = max(a - b, .zero).c", ("tokens", "max(…, .zero)", "(…)"),
                    'x = mutant("m", max(a - b, .zero).c, ((a - b)).c)', "x = ((a - b)).c")

    def test_a_statement_is_left_out_or_becomes_another(self):
        self.expect("a()\n  b()\nc()", ("statement", "b", ""), 'a()\n  if !isMutant("m") { b() }\nc()', "a()\nc()")
        self.expect("for a in b { c(a) }", ("statement", "c(", "if a { … }"),
                    'for a in b { if isMutant("m") { if a { c(a) } } else { c(a) } }', "for a in b { if a { c(a) } }")

    def test_code_is_put_in_front_of_a_statement(self):
        self.expect("  let a = b()", ("statement", "b(", "c()\nd()\n…"), '  if isMutant("m") { c()\nd() }\nlet a = b()',
                    "  c()\n  d()\n  let a = b()")

    def test_a_clause_is_added(self):
        self.expect("if let a = b.c() { }", ("clause", "c(", "…, a > 1 || d"),
                    'if let a = b.c(), !isMutant("m") || (a > 1 || d) { }',
                    "if let a = b.c(), a > 1 || d { }")

    def test_a_text_changes_in_its_literal(self):
        self.expect('f("""\n  a\n  b\n  """)', ("text", "a b", "c"),
                    'f(mutant("m", """\n  a\n  b\n  """, """\n  c\n  """))', 'f("""\n  c\n  """)')

    def test_a_mutation_may_have_several_changes(self):
        fitting, mutation = self.fitting("a()\nb(1)", ("statement", "a(", ""), ("expression", "1", "2"))
        self.assertEqual([line for line in fitting.difference(mutation) if line[0] in "+-" and "/" not in line],
                         ["-a()\n", "-b(1)\n", "+b(2)\n"])

    def test_a_change_that_does_not_fit_is_an_error_that_names_the_mutation(self):
        for body, change in (
                ("a < b; c < d", ("tokens", "<", "<=")),
                ("a", ("expression", "b", "c")),
                ("a", ("expression", "a", "a")),
                ("a.b()", ("tokens", "a.b", "a . b")),
                ("a(); b()", ("tokens", "a(); b()", "c")),
                ("let a = b", ("expression", "a", "c")),
                ("a = b", ("expression", "a", "c")),
                ("f(&a)", ("expression", "a", "c")),
                ("f(a, b(await c()))", ("expression", "b(", "d")),
                ("let a = b", ("statement", "b", "")),
                ("guard a else { return }", ("statement", "guard a", "")),
                ("a(b)", ("clause", "b", "…, c")),
                ('a("b", "b")', ("text", "b", "c")),
                ("a(b)", ("text", "b", "c"))):
            with self.subTest(body=body, change=change), self.assertRaisesRegex(mutate.MutationError, "^m: HeliumCore: "):
                self.fitting(body, change)

    def test_a_function_that_is_missing_is_an_error_with_similar_names(self):
        error = r"one-try-more: HeliumCore: there is no function `RetryDecision.make`; similar names: RetryDecisions.make\(\)"
        with self.assertRaisesRegex(mutate.MutationError, error):
            mutate.Fitting(read(ENTRY), lambda module: {"A.swift": "extension RetryDecisions { func make() { } }"})

    def test_two_mutations_of_one_name_are_an_error(self):
        with self.assertRaisesRegex(mutate.MutationError, "2 mutations one-try-more"):
            mutate.Fitting(read(ENTRY, ENTRY), lambda module: {"A.swift": "extension RetryDecision { func make() { a < b } }"})


class Mutating(unittest.TestCase):
    def edit(self, start, end, name):
        return mutate.Edit(start, end, f"<{name}>", f"</{name}>", "", name)

    def mutated(self, *edits):
        return mutate.mutated("0123456789", edits)

    def test_each_mutation_is_in_its_place(self):
        self.assertEqual(self.mutated(self.edit(5, 7, "b"), self.edit(1, 3, "a")), "0<a>12</a>34<b>56</b>789")

    def test_mutations_may_touch_and_contain_each_other(self):
        self.assertEqual(self.mutated(self.edit(1, 3, "a"), self.edit(3, 5, "b")), "0<a>12</a><b>34</b>56789")
        self.assertEqual(self.mutated(self.edit(2, 3, "a"), self.edit(1, 5, "b")), "0<b>1<a>2</a>34</b>56789")
        self.assertEqual(self.mutated(self.edit(1, 3, "a"), self.edit(1, 3, "b")), "0<a><b>12</b></a>3456789")
        self.assertEqual(self.mutated(self.edit(1, 3, "a"), self.edit(3, 3, "b")), "0<a>12</a><b></b>3456789")

    def test_mutations_that_overlap_are_an_error(self):
        with self.assertRaisesRegex(mutate.MutationError, "b: .*overlaps that of a"):
            self.mutated(self.edit(1, 3, "a"), self.edit(2, 4, "b"))


class Suites(unittest.TestCase):
    def test_each_alternative_must_be_a_suite(self):
        names = {"HeliumCoreTests.RetryDecisionTests/", "HeliumCoreTests.Other/"}
        mutate.check_suites(read(ENTRY, dict(ENTRY, suites="HeliumCoreTests.Other|RetryDecision")), names)
        for suites in ("HeliumCoreTests.Others", "Other|HeliumKitTests.Other"):
            with self.subTest(suites=suites), self.assertRaisesRegex(mutate.MutationError, "one-try-more: there is no suite "):
                mutate.check_suites(read(dict(ENTRY, suites=suites)), names)


class Verdicts(unittest.TestCase):
    PASSED = '◇ Test "a" started.\n✔ Test "a" passed after 0.1 seconds.\n✔ Test run with 1 test in 1 suite passed after 0.1 seconds.\n'
    FAILED = ('◇ Test "waits" started.\n'
              '✘ Test "gives up after "three" attempts" recorded an issue with 1 argument count → 3 at A.swift:1:2: no\n'
              '✘ Test other() recorded an issue at A.swift:1:2: no\n'
              "✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 2 issues.\n")
    CASES = '◇ Test "earlier" started.\n◇ Test case passing 1 argument text → "a" to "quotes" started.\n'

    def verdict(self, status, log):
        return mutate.verdict(read(ENTRY)[0], mutate.Outcome(status, 1.24, log))

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


if __name__ == "__main__":
    unittest.main()
