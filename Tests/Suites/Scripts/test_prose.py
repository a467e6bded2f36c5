"""The parameters that Scripts/prose.py finds: `python3 -B -m unittest discover -s Tests/Suites/Scripts`."""

import os
import sys
import unittest

sys.dont_write_bytecode = True  # before our own modules: the source tree stays clean
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "Scripts"))

import prose


def faults(text):
    return [fault for start, block in prose.comments(text)
            for fault in prose.check_parameters("A.swift", text.split("\n"), start, block)]


class Declarations(unittest.TestCase):
    def test_names_are_internal_names(self):
        declarations = {
            "func f(_ a: Int, for b: Int, c: Int)": ["a", "b", "c"],
            "init?<T: Equatable>(a: (T, T) -> Int, _ b: [T: Int])": ["a", "b"],
            "subscript(a: Int, default b: @autoclosure () -> Int) -> Int { get }": ["a", "b"],
            "macro F(_ a: String) = #externalMacro(module: \"M\", type: \"T\")": ["a"],
            "static func == (lhs: Self, rhs: Self) -> Bool": ["lhs", "rhs"],
            "func f(\n    a: Int, // of (x: 1, y: 2)\n    b: String = \"), c: \"\n) {}": ["a", "b"],
            "func f(a: Result<Int, any Error>, b: @escaping (_ x: Int, Int) -> Void = { x, y in g(x: 1) })": ["a", "b"],
            "func f(a: Int? = x ? y : z, `in` b: Int, `default`: Int)": ["a", "b", "default"],
            "func f(isolation: isolated (any Actor)? = #isolation)": ["isolation"],
            "func f(_: Int)": ["_"],
            "func f()": [],
            "case a(Int, for: Int), b": ["for"],
        }
        for text, names in declarations.items():
            with self.subTest(text=text):
                self.assertEqual(prose.declared(text), (False, names))

    def test_what_has_no_parameters_has_no_names(self):
        for text in ["var f: (_ a: Int) -> Void", "class C { func f(a: Int) {} }", "case a\ncase b(c: Int)", "", "@A(", "@"]:
            with self.subTest(text=text):
                self.assertEqual(prose.declared(text), (False, None))

    def test_attributes_and_modifiers_may_come_first(self):
        for text in ["@discardableResult\npublic static func f(a: Int)", "@available(*, deprecated, message: \"b\") open class func f(a: Int)",
                     "@A.B nonisolated(unsafe) public mutating func f(a: Int)"]:
            with self.subTest(text=text):
                self.assertEqual(prose.declared(text), (True, ["a"]))


class Comments(unittest.TestCase):
    BOTH = "public func f(a: Int, for b: Int) {}"

    def test_a_comment_may_document_all_parameters_or_none(self):
        self.assertEqual(faults("/// Does.\n" + self.BOTH), [])
        self.assertEqual(faults("/// Does.\n///\n/// - Parameter a: One.\n/// - parameter b: Two.\n" + self.BOTH), [])
        lists = "/// - Parameters:\n///   - a: One:\n///     - x: Part of it.\n///   - b: Two.\n/// - Throws: E.\n" + self.BOTH
        self.assertEqual(faults(lists), [])
        self.assertEqual(faults("/// - Parameter a: One.\npublic func f(a: Int, _: Int) {}"), [])

    def test_a_missing_parameter_of_a_public_declaration_is_a_fault(self):
        fault = ["A.swift:3: parameter b is not documented"]
        self.assertEqual(faults("/// Does.\n///\n/// - Parameter a: One.\n" + self.BOTH), fault)
        self.assertEqual(faults("/// Does.\n/// - Parameters:\n///   - a: One.\n" + self.BOTH), fault)
        protocol = "public protocol P {\n    /// Does.\n    /// - Parameter a: One.\n    func f(a: Int, b: Int)\n}"
        self.assertEqual(faults(protocol), fault)
        self.assertEqual(faults(protocol.replace("public ", "")), [])
        self.assertEqual(faults("/// - Parameter a: One.\nfunc f(a: Int, b: Int) {}"), [])

    def test_a_parameter_that_does_not_exist_or_comes_twice_is_a_fault(self):
        self.assertEqual(faults("/// - Parameter for: One.\nfunc f(a: Int, for b: Int) {}"),
                         ["A.swift:1: parameter for is documented but not declared"])
        self.assertEqual(faults("/// - Parameter a: One.\n/// - Parameter a: Two.\nfunc f(a: Int) {}"),
                         ["A.swift:2: parameter a is documented twice"])
        self.assertEqual(faults("/// - Parameter a: One.\nvar f = 1"), ["A.swift:1: parameters of a declaration that has none"])


if __name__ == "__main__":
    unittest.main()
