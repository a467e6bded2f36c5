internal import HeliumJSON
internal import HeliumServerKit

/// The parameters of one request by section, as validated and converted by the rules of a route.
struct ParameterValues: Sendable {
    private(set) var values: [ParameterSection: [String: JSONValue]] = [:]
    /// All violations of the request, in the order of the rules. All parameters are checked before any code of the
    /// route runs, and each parameter has at most one violation (Docs/Protocols/Middleware.md §5.3).
    private(set) var violations: [Violation] = []

    /// Checks `rules` against the raw values that `lookup` returns.
    init(_ rules: [ParameterRule], lookup: (ParameterRule) -> JSONValue?) {
        for rule in rules {
            switch rule.check(lookup(rule)) {
            case .success(let value?): values[rule.section, default: [:]][rule.id] = value
            case .success(nil): break
            case .failure(let violation): violations.append(violation)
            }
        }
    }

    func string(_ id: String, in section: ParameterSection) -> String? {
        guard case .string(let text) = values[section]?[id] else { return nil }
        return text
    }

    /// Returns a whole number, limited to the range of `Int`.
    func integer(_ id: String, in section: ParameterSection) -> Int? {
        guard let value = values[section]?[id] else { return nil }
        return value.intValue
            ?? value.doubleValue.map { Int(exactly: $0.rounded(.towardZero)) ?? ($0 < 0 ? .min : .max) }
    }

    /// The body's values as one document: dotted paths become nested objects, and unknown fields are left out.
    var body: JSONValue {
        var root = Branch()
        for (path, value) in values[.body] ?? [:] {
            if case .object = value { continue }
            root.insert(value, at: path.split(separator: ".").map(String.init)[...])
        }
        return root.document
    }

    private struct Branch {
        var leaves: [String: JSONValue] = [:]
        var branches: [String: Branch] = [:]

        mutating func insert(_ value: JSONValue, at path: ArraySlice<String>) {
            guard let name = path.first else { return }
            if path.count == 1 {
                leaves[name] = value
            } else {
                branches[name, default: Branch()].insert(value, at: path.dropFirst())
            }
        }

        var document: JSONValue {
            let all = leaves.map { ($0, $1) } + branches.map { ($0, $1.document) }
            return .object(all.sorted { $0.0 < $1.0 }.map { ($0.0, $0.1) })
        }
    }
}
