/// The parameters of a query, decoded; of two with one name the last counts.
struct QueryParameters: Hashable, Sendable {
    private var values: [String: String] = [:]

    init() {}

    /// Reads what stands after the `?`.
    init(query: Substring) {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[PercentEncoding.decodedFormText(parts[0])] =
                parts.count == 2 ? PercentEncoding.decodedFormText(parts[1]) : ""
        }
    }

    /// A parameter's value; empty ones count as absent, as LibCOSM leaves them out.
    subscript(name: String) -> String? {
        get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[name] = newValue }
    }

    /// Whether a name or a value holds U+0000.
    var holdsNull: Bool { values.contains { $0.key.holdsNull || $0.value.holdsNull } }

    /// `true` and `1`, in any letter case (§2.2).
    func isTrue(_ name: String) -> Bool {
        switch self[name]?.lowercased() {
        case "true", "1": true
        default: false
        }
    }

    /// - Throws: ``CosmFailure`` with 400 for what is no whole number.
    func integer(_ name: String) throws(CosmFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw .badParameter("\(name) is not a whole number") }
        return number
    }

    /// - Throws: ``CosmFailure`` with 400 for what is no number.
    func number(_ name: String) throws(CosmFailure) -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = NumericText.number(text) else { throw .badParameter("\(name) is not a number") }
        return number
    }

    /// A stamp, whose `+` may have come as a space.
    ///
    /// - Throws: ``CosmFailure`` with 400.
    func stamp(_ name: String) throws(CosmFailure) -> CosmInstant? {
        guard let text = self[name] else { return nil }
        guard let instant = CosmInstant(text.replacing(" ", with: "+")) else {
            throw .invalidStamp(.json)
        }
        return instant
    }
}
