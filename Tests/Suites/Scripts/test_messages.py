"""The decisions of Scripts/messages.py and of the check of messages in Scripts/prose.py: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import os
import sys
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Scripts"))

import messages
import prose


class LiteralTests(unittest.TestCase):
    def texts(self, source):
        return [each.text for each in messages.literals(source)]

    def test_comments_are_skipped(self):
        source = '// "no text"\n/* "nor" /* "this" */ "here" */ let a = "the text" // it\'s "over"'
        self.assertEqual(self.texts(source), ["the text"])

    def test_a_comment_inside_a_literal_is_text(self):
        self.assertEqual(self.texts('"http://a b" "/* c"'), ["http://a b", "/* c"])

    def test_escapes_stay_except_for_quotation_marks(self):
        self.assertEqual(self.texts(r'"a \"b\"\n\\" + x'), [r'a "b"\n\\'])

    def test_interpolations_are_kept_as_written(self):
        self.assertEqual(self.texts(r'"line \(number + 1): \(f(a, b))"'), [r"line \(number + 1): \(f(a, b))"])

    def test_interpolations_with_literals_inside(self):
        source = r'''throw E("the \(names.map { "\"\($0)\"" }.joined(separator: ", ")) (")'''
        self.assertEqual(self.texts(source), [r'''the \(names.map { "\"\($0)\"" }.joined(separator: ", ")) ('''])

    def test_parentheses_of_a_literal_inside_do_not_count(self):
        self.assertEqual(self.texts(r'"a \(isB ? ")" : "(") c", "d"'), [r'a \(isB ? ")" : "(") c', "d"])

    def test_raw_literals(self):
        self.assertEqual(self.texts(r'''#"a "b" \(c) \#(d) \n"#'''), [r'a "b" \(c) \#(d) \n'])

    def test_multiline_literals(self):
        source = 'let a = """\n    one "two" \\\n    three\n      four\n    """; let b = "five"'
        self.assertEqual(self.texts(source), [r'one "two" three\n  four', "five"])

    def test_raw_multiline_literals(self):
        self.assertEqual(self.texts('#"""\n  a \\(b) """ c\n  """#'), [r'a \(b) """ c'])

    def test_literals_joined_by_a_plus_are_one(self):
        self.assertEqual(self.texts('f("one "\n    + "two \\(x) " + "three", "four")'), [r"one two \(x) three", "four"])

    def test_raw_literals_of_quotation_marks(self):
        self.assertEqual(self.texts('[#""""#, "a b"]'), ['""', "a b"])

    def test_divisions_are_not_regular_expressions(self):
        self.assertEqual(self.texts('f(a / b, "c d", e / f); let g = /"h i"/'), ["c d"])

    def test_regular_expressions_and_quoted_names_are_skipped(self):
        self.assertEqual(self.texts('#/"a b/#; @Test func `it\'s "so"`() { f("c d") }'), ["c d"])

    def test_an_unterminated_literal_is_an_error(self):
        for source in ('"abc\n"', '"""\nabc', r'"\(a', "/* a"):
            with self.assertRaises(ValueError):
                self.texts(source)


class MessageTests(unittest.TestCase):
    def test_a_message_has_a_word_and_a_space(self):
        source = r'"invalid --step: use seconds", "word", "\(a) \(b)", "1 2", ", resumed", "\(isA ? "two words" : "")"'
        self.assertEqual(messages.texts(source), [", resumed", r'\(isA ? "two words" : "")', "invalid --step: use seconds"])

    def test_text_that_is_not_for_users_is_left_out(self):
        for text in ("SELECT * FROM feed", "user = ? AND id < ?", "<p>some text</p>", "f() {\\n  a b\\n}", "HTTP/1.1 200 OK",
                     "text/plain; charset=utf-8", "Content-Type: a b", r"Bearer \(token)"):
            self.assertEqual(messages.texts(f'"{text}"'), [], text)

    def test_texts_that_look_like_them_are_messages(self):
        for text in ("Bad Request: the body is too long", "select a row", "Default: 60s; more", "a <value> is missing"):
            self.assertEqual(messages.texts(f'"{text}"'), [text])

    def test_each_text_of_a_file_is_listed_once_and_sorted(self):
        self.assertEqual(messages.texts('"no b", "no a", "no b"'), ["no a", "no b"])


class WordTests(unittest.TestCase):
    def faults(self, source):
        return list(prose.check_messages("a.swift", source))

    def test_a_word_in_a_message_is_a_fault_with_its_line(self):
        self.assertEqual(self.faults('let a = 1\nthrow E("there is nobody")'), ['a.swift:2: "nobody"'])
        self.assertEqual(self.faults('throw E("\\(name) is no URL")'), ['a.swift:1: "is no"'])

    def test_code_in_a_message_is_none(self):
        self.assertEqual(self.faults('throw E("\\(whom) does not respond")'), [])

    def test_usual_phrases_are_none(self):
        self.assertEqual(self.faults('f("there is no file", "it is no longer open", "nobody")'), [])


if __name__ == "__main__":
    unittest.main()
