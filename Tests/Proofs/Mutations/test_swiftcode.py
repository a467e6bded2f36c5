"""How Scripts/swiftcode.py finds functions and what is in them: `python3 -B -m unittest discover -s Tests/Proofs/Mutations`."""

import os
import sys
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Scripts"))

import swiftcode
from swiftcode import SwiftError


def names(text):
    return [swiftcode.name(function.path) for function in swiftcode.Source(text).functions]


def body(text, name):
    """The text of the body of a function, without the spaces around it."""
    path, function = swiftcode.Module({"A.swift": text}).function(name)
    return swiftcode.Source(text).slice(function.first, function.last)


class Tokens(unittest.TestCase):
    def texts(self, text):
        return [token.text for token in swiftcode.tokenized(text)]

    def test_comments_are_no_tokens_and_block_comments_nest(self):
        self.assertEqual(self.texts("a // { \" }\n/* { /* } */ \" */ b"), ["a", "b"])

    def test_a_string_literal_is_one_token_whatever_is_in_it(self):
        for literal in ('"a { \\" // b"', '"\\(x { "}" }) }"', '#"\\" \\(no) "#', '##"a"# \\##(f("}")) "##',
                        '"""\n  { " }\n  """', '#"""\n  """ \\#(x) {\n  """#'):
            with self.subTest(literal=literal):
                self.assertEqual(self.texts(f"f({literal})"), ["f", "(", literal, ")"])

    def test_a_regular_expression_is_one_token(self):
        self.assertEqual(self.texts("f(/[{]/, #/a{2}//#)"), ["f", "(", "/[{]/", ",", "#/a{2}//#", ")"])

    def test_marks_of_optionals_and_angle_brackets_are_tokens_of_their_own(self):
        self.assertEqual(self.texts("a: Set<Set<Int?>>? = b ?? c!.d"),
                         ["a", ":", "Set", "<", "Set", "<", "Int", "?", ">", ">", "?", "=", "b", "??", "c", "!", ".", "d"])
        self.assertEqual(self.texts("a != b, !c"), ["a", "!=", "b", ",", "!", "c"])

    def test_numbers_and_ranges_are_told_apart(self):
        self.assertEqual(self.texts("0...1_000.5e-3 ..< 0x1F"), ["0", "...", "1_000.5e-3", "..<", "0x1F"])

    def test_brackets_that_do_not_match_are_an_error_with_the_line(self):
        for text in ("a\n)", "a\n(", "(\n]"):
            with self.subTest(text=text), self.assertRaisesRegex(SwiftError, "line [12]"):
                swiftcode.Source(text)


class Names(unittest.TestCase):
    def test_functions_are_named_by_their_types_and_labels(self):
        self.assertEqual(names("struct A { func f(_ a: Int, to b: Int = g({ 1 }), c: Int...) { } }\nfunc h() { }"),
                         ["A.f(_:to:c:)", "h()"])

    def test_nested_types_and_extensions_of_them_have_one_name(self):
        text = "enum A { struct B<T: C> where T: D { func f() { } } }\nextension A.B: E where T == Int { func g() { } }"
        self.assertEqual(names(text), ["A.B.f()", "A.B.g()"])

    def test_initializers_subscripts_and_deinitializers_have_names(self):
        text = """
            final class A {
                init?(a: Int) { self.init() }
                convenience init<T>(_ b: T) throws(E) { }
                subscript(index: Int, default d: Int) -> Int { get { 1 } set { } }
                deinit { close() }
            }
            """
        self.assertEqual(names(text), ["A.init(a:)", "A.init(_:)", "A.subscript(_:default:)", "A.deinit"])

    def test_properties_with_code_have_names(self):
        text = """
            struct A {
                var stored: Int
                let constant = 1
                var computed: Int { 1 }
                var observed = 0 { didSet { f() } }
                lazy var made: Int = {
                    let local = 1
                    return local
                }()
                static var multiline: Int
                {
                    2
                }
            }
            """
        self.assertEqual(names(text), ["A.constant", "A.computed", "A.observed", "A.made", "A.multiline"])

    def test_functions_in_functions_are_named_by_both(self):
        self.assertEqual(names("func f(a: Int) { if a > 0 { func g() { } } }"), ["f(a:)", "f(a:).g()"])

    def test_operators_are_functions(self):
        text = "struct A { static func < (a: A, b: A) -> Bool { true } }\nfunc == (a: A, b: A) -> Bool { false }"
        self.assertEqual(names(text), ["A.<(a:b:)", "==(a:b:)"])

    def test_requirements_of_protocols_have_no_body(self):
        self.assertEqual(names("protocol P { func f()\n init()\n var a: Int { get } }\nextension P { func f() { } }"), ["P.f()"])

    def test_words_that_only_look_like_declarations_are_none(self):
        text = """
            class A {
                class func f() { x.init(1) }
                func g(actor a: B, extension e: C) -> (D) -> Void { { $0.subscript { } } }
                @Attribute(x { 1 }) func `init`() { }
            }
            """
        self.assertEqual(names(text), ["A.f()", "A.g(actor:extension:)", "A.init()"])

    def test_attributes_and_default_values_are_not_part_of_labels(self):
        text = "func f(@B(c: 1) _ a: @escaping @Sendable (Int) -> Void, isolation: isolated (any Actor)? = #isolation) { }"
        self.assertEqual(names(text), ["f(_:isolation:)"])


class Finding(unittest.TestCase):
    OVERLOADED = """
        extension A {
            func f(_ a: Int) { 1 }
            func f(_ a: B.C) { 2 }
            func f(to a: Dictionary<Int, Int>, b: Int) { 3 }
        }
        """

    def test_labels_choose_among_functions_of_one_name(self):
        self.assertEqual(body(self.OVERLOADED, "A.f(to:b:)"), "3")

    def test_types_choose_among_functions_of_the_same_labels(self):
        self.assertEqual(body(self.OVERLOADED, "A.f(_: Int)"), "1")
        self.assertEqual(body(self.OVERLOADED, "A.f(_: B.C)"), "2")
        self.assertEqual(body(self.OVERLOADED, "A.f(to: Dictionary<Int, Int>, b: Int)"), "3")

    def test_a_name_needs_no_labels_if_it_is_the_only_one(self):
        self.assertEqual(body("struct A { func f(a: Int) { 1 } }\nstruct B { func f(a: Int) { 2 } }", "B.f"), "2")

    def test_a_body_ends_at_its_own_brace(self):
        text = 'func f() { a("}"); /* } */ b { #"}"# } }\nfunc g() { 2 }'
        self.assertEqual(body(text, "f"), 'a("}"); /* } */ b { #"}"# }')

    def test_a_name_with_several_functions_is_an_error_that_tells_their_places(self):
        error = r"2 functions are named `A.f\(_:\)`: A.f\(_:\) in A.swift:3, A.f\(_:\) in A.swift:4"
        with self.assertRaisesRegex(SwiftError, error):
            body(self.OVERLOADED, "A.f(_:)")

    def test_a_name_without_a_function_is_an_error_that_tells_similar_names(self):
        text = "struct Decision { static func make(after a: Int) { } }\nextension Other { func decide() { } }"
        for wrong in ("Decision.makes", "Decisions.make", "Decision.make(before:)"):
            error = r"there is no function .*; similar names: Decision.make\(after:\)"
            with self.subTest(wrong=wrong), self.assertRaisesRegex(SwiftError, error):
                body(text, wrong)
        with self.assertRaisesRegex(SwiftError, r"similar names: Other.decide\(\)"):
            body(text, "Decision.decide")
        with self.assertRaisesRegex(SwiftError, "none is similar"):
            body(text, "Unknown.thing")

    def test_a_name_that_is_none_is_an_error(self):
        for wrong in ("A.f(", "A f", "A.f() { }"):
            with self.subTest(wrong=wrong), self.assertRaises(SwiftError):
                body(self.OVERLOADED, wrong)


class Expressions(unittest.TestCase):
    def expression(self, code, pattern):
        source = swiftcode.Source(f"func f() {{\n{code}\n}}")
        return source.slice(*source.expression(pattern, source.functions[-1]))

    def test_an_expression_ends_at_separators(self):
        for code, pattern, expected in (
                ("if a, b < c, d { }", "b", "b < c"),
                ("guard a || b == c else { return }", "==", "b == c"),
                ("return a < b ? c : d", "<", "a < b"),
                ("let x = try a.b(c) ?? d", "b(", "a.b(c) ?? d"),
                ("x = y + 1", "+ 1", "y + 1"),
                ("f(a: b - 1, c)", "- 1", "b - 1"),
                ("x.map { $0 + 1 }", "+ 1", "$0 + 1"),
                ("x.map { y in y + 1 }", "+ 1", "y + 1"),
                ("return !a.b && c", "b", "!a.b"),
                ("x[a, default: 0] += 1", "a", "a"),
                ("if let a = try? b(c), d { }", "b(", "b(c)"),
                ("while let a = b { }", "b", "b"),
                ("switch a + b { case .c: d() }", "+", "a + b"),
                ("case .a: return b - 1", "-", "b - 1")):
            with self.subTest(code=code):
                self.assertEqual(self.expression(code, pattern), expected)

    def test_an_expression_goes_over_lines(self):
        self.assertEqual(self.expression("let x =\n    a\n    .b { c }\n    ?? d\nlet y = 1", "b"), "a\n    .b { c }\n    ?? d")
        self.assertEqual(self.expression("a()\nb()\nc()", "b"), "b()")

    def test_a_brace_in_a_header_is_not_a_closure(self):
        self.assertEqual(self.expression("if a.b { c }", "b"), "a.b")
        self.assertEqual(self.expression("if a(x.map { y }), b { c }", "x"), "x.map { y }")
        self.assertEqual(self.expression("if a { b } else if c.d { e }", "d"), "c.d")
        self.assertEqual(self.expression("let x = a.b { c }", "b"), "a.b { c }")

    def test_a_hole_is_the_expression_at_its_place(self):
        for code, pattern, expected in (
                ("guard a.b, c else { return }\nif d { }", "guard …", "a.b"),
                ("if a { return 1 }\nif b { continue }", "if … { continue }", "b"),
                ("return a.b < c ? d : e", "return … ?", "a.b < c"),
                ("f(through: a, b)", "through: …", "a"),
                ("if a && b <= c.d { }", "<= …", "c.d"),
                ("if a && b.e <= c.d { }", "… <=", "b.e"),
                ("x = a.b ? c : d", "… ? c", "a.b"),
                ("if a, b.c { }", ", … {", "b.c")):
            with self.subTest(code=code, pattern=pattern):
                self.assertEqual(self.expression(code, pattern), expected)

    def test_a_hole_that_is_a_part_of_an_expression_is_an_error(self):
        for code, pattern in (("if a.b { }", "a.…"), ("if a < b + 1 { }", "… + 1"), ("if a - b < c { }", "- …")):
            with self.subTest(code=code), self.assertRaisesRegex(SwiftError, "is only a part of `a"):
                self.expression(code, pattern)

    def test_a_pattern_ignores_spaces_comments_and_line_breaks(self):
        self.assertEqual(self.expression("f(\n    a /* b */\n        .c(1)\n)", "a.c(1)"), "a /* b */\n        .c(1)")

    def test_an_operator_is_not_an_angle_bracket(self):
        self.assertEqual(self.expression("let a: Set<Int> = b\nif c < d { }", "<"), "c < d")

    def test_text_in_strings_and_comments_is_not_found(self):
        self.assertEqual(self.expression('a("b < c") // b < c\nif b < c { }', "b <"), "b < c")

    def test_a_pattern_that_does_not_occur_once_is_an_error_with_the_lines(self):
        with self.assertRaisesRegex(SwiftError, r"`b` occurs 0 times in f\(\), not once$"):
            self.expression("a", "b")
        with self.assertRaisesRegex(SwiftError, r"`a` occurs 2 times in f\(\), not once \(lines 2, 3\)"):
            self.expression("a()\na()", "a")

    def test_a_pattern_that_names_no_expression_is_an_error(self):
        for pattern in ("guard", "a,", "b)", "…", "… … a"):
            with self.subTest(pattern=pattern), self.assertRaises(SwiftError):
                self.expression("guard a, (b) else { }", pattern)


class Statements(unittest.TestCase):
    def statements(self, code, pattern):
        source = swiftcode.Source(f"func f() {{\n{code}\n}}")
        return source.slice(*source.statements(pattern, source.functions[-1]))

    def test_a_statement_is_found_by_a_part_of_it(self):
        for code, pattern, expected in (
                ("a()\ntry b.c(1)\nd()", "c(", "try b.c(1)"),
                ("a(); b(); c()", "b", "b()"),
                ("for a in b { c(a) }", "c(", "c(a)"),
                ("for a in b { c(a) }", "in b", "for a in b { c(a) }"),
                ("if a { b() } else { c() }", "c", "c()"),
                ("if a {\n    b()\n} else {\n    c()\n}\nd()", "if a", "if a {\n    b()\n} else {\n    c()\n}"),
                ("x { y in a(y) }", "a(", "a(y)"),
                ("x { y in\n    a(y)\n    b()\n}", "a(", "a(y)"),
                ("switch a {\ncase .b: c()\ncase .d:\n    e()\n    f()\ndefault: g()\n}", "c(", "c()"),
                ("switch a {\ncase .b: c()\ncase .d:\n    e()\n    f()\ndefault: g()\n}", "e(", "e()"),
                ("a = b\n    ? c\n    : d\ne()", "c", "a = b\n    ? c\n    : d"),
                ("a\n    .b()\n    .c()\nd()", "c(", "a\n    .b()\n    .c()"),
                ("let a: Int = 1\nlet b = 2", "1", "let a: Int = 1")):
            with self.subTest(code=code, pattern=pattern):
                self.assertEqual(self.statements(code, pattern), expected)

    def test_a_pattern_over_several_statements_takes_all_of_them(self):
        self.assertEqual(self.statements("a()\nb(1)\nreturn c\n", "b(1) return"), "b(1)\nreturn c")


if __name__ == "__main__":
    unittest.main()
