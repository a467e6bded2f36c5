// This file is compiled twice: for the probe, and as Tests/Support/MacroSupport/Messages.swift for its user.

/// A source whose macros are expanded.
package struct ExpansionRequest: Codable {
    package let source: String
    /// Whether the compiler finds no conformance missing, as in a subclass of a model.
    package let isSubclass: Bool

    package init(source: String, isSubclass: Bool) {
        self.source = source
        self.isSubclass = isSubclass
    }
}

/// The source after the expansion of its macros, and what the macros and the parser report.
package struct ExpansionResult: Codable {
    /// A diagnostic of a macro.
    package struct Diagnostic: Codable {
        /// The position in the UTF-8 of the source before the expansion.
        package let offset: Int
        package let message: String
        package let notes: [String]
        /// The source after each fix-it, by the message of the fix-it.
        package let fixed: [String: String]
    }

    package let source: String
    /// The expanded source with its syntax errors; `nil` if it has none.
    package let syntaxErrors: String?
    package let diagnostics: [Diagnostic]
}
