internal import HeliumJSON
internal import HeliumServerKit

/// The value of the `selection` parameter, which lists the members that a response keeps (Docs/Protocols/Middleware.md
/// §5.4).
///
/// Names are separated by commas, children are in braces, and arguments are in parentheses, which are ignored. A name
/// without braces keeps the whole value. The outermost braces may be left out.
struct FieldSelection: Equatable, Sendable {
    /// The selected names with their own selections; `nil` keeps the whole value.
    private var fields: [String: FieldSelection?]

    /// The maximum nesting depth of braces and parentheses.
    static let maximumDepth = 32
    /// The maximum length of a selection in UTF-8 bytes.
    static let maximumLength = 8192

    /// Parses a selection. Returns `nil` if braces or parentheses do not match, a name is missing, or a limit is
    /// exceeded.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var parser = Parser(rest: text.unicodeScalars.filter { !$0.properties.isWhitespace }[...])
        guard let selection = parser.parse() else { return nil }
        self = selection
    }

    private init(fields: [String: FieldSelection?]) { self.fields = fields }

    /// Returns `value` with only the selected members. The selection applies to each element of an array. Other values
    /// are kept, and unknown names are ignored.
    func apply(to value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(apply))
        case .object(let members):
            .object(
                members.compactMap { member in
                    guard let chosen = fields[member.name] else { return nil }
                    return (member.name, chosen?.apply(to: member.value) ?? member.value)
                }
            )
        default: value
        }
    }

    private struct Parser {
        var rest: ArraySlice<Unicode.Scalar>

        mutating func parse() -> FieldSelection? {
            let isBraced = rest.first == "{"
            if isBraced { rest.removeFirst() }
            guard let selection = fields(depth: 1) else { return nil }
            if isBraced {
                guard rest.first == "}" else { return nil }
                rest.removeFirst()
            }
            return rest.isEmpty ? selection : nil
        }

        private mutating func fields(depth: Int) -> FieldSelection? {
            guard depth <= FieldSelection.maximumDepth else { return nil }
            var fields: [String: FieldSelection?] = [:]
            while true {
                guard let name = name() else { return nil }
                if rest.first == "(" {
                    guard skipArguments() else { return nil }
                }
                var children: FieldSelection?
                if rest.first == "{" {
                    rest.removeFirst()
                    guard let nested = self.fields(depth: depth + 1), rest.first == "}" else { return nil }
                    rest.removeFirst()
                    children = nested
                }
                fields.updateValue(children, forKey: name)
                guard rest.first == "," else { return FieldSelection(fields: fields) }
                rest.removeFirst()
            }
        }

        private mutating func name() -> String? {
            let name = rest.prefix { !["{", "}", "(", ")", ","].contains($0) }
            guard !name.isEmpty else { return nil }
            rest = rest.dropFirst(name.count)
            return String(String.UnicodeScalarView(name))
        }

        /// Skips `(…)`, in which quoted text may contain any character.
        private mutating func skipArguments() -> Bool {
            var depth = 0
            var isQuoted = false
            while let scalar = rest.popFirst() {
                if scalar == "\"" { isQuoted.toggle() }
                if isQuoted { continue }
                if scalar == "(" { depth += 1 }
                if scalar == ")" { depth -= 1 }
                if depth == 0 { return true }
            }
            return false
        }
    }
}
