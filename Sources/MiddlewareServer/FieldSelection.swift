internal import HeliumJSON
internal import HeliumServerKit

/// The value of the `selection` parameter: which members an answer keeps (§5.4).
///
/// Names separated by commas, children in braces, arguments in parentheses (read over); a name without braces takes
/// the whole value. The outermost braces may be left out.
struct FieldSelection: Equatable, Sendable {
    /// The chosen names with their own selections; nil takes the whole value.
    private var fields: [String: FieldSelection?]

    /// How deep braces and parentheses may nest.
    static let maximumDepth = 32
    /// The longest selection in UTF-8 bytes.
    static let maximumLength = 8192

    /// Parses a selection; nil where braces or parentheses do not match, a name is missing, or a limit is passed.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var parser = Parser(rest: text.unicodeScalars.filter { !$0.properties.isWhitespace }[...])
        guard let selection = parser.parse() else { return nil }
        self = selection
    }

    private init(fields: [String: FieldSelection?]) { self.fields = fields }

    /// `value` with only the chosen members. Arrays are cut element by element; what has no members stays whole;
    /// unknown names are ignored.
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

        /// Reads over `(…)`, in which quoted text may hold anything.
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
