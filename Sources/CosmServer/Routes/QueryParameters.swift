internal import HeliumJSON
internal import HeliumServerKit

/// The parameters of a query, decoded; of two with one name the last counts.
struct QueryParameters: Hashable, Sendable {
    private var values: [ByteText: String] = [:]
    /// The fault of the first name or value that has one. Such a parameter is not kept, and its request is refused.
    private(set) var fault: TextFault?

    init() {}

    /// Reads what stands after the `?`.
    init(query: Substring) {
        for (name, value) in FormText.pairs(of: query) {
            if let found = name.textFault ?? value.textFault {
                fault = fault ?? found
            } else {
                values[name] = value
            }
        }
    }

    /// A parameter's value; empty ones count as absent, as LibCOSM leaves them out.
    subscript(name: String) -> String? {
        get { values[name].flatMap { $0.isEmpty ? nil : $0 } }
        set { values[name] = newValue }
    }

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
    func stamp(_ name: String) throws(CosmFailure) -> ServerInstant? {
        guard let text = self[name] else { return nil }
        guard let instant = ServerInstant(text.replacing(" ", with: "+")) else {
            throw .invalidStamp(.json)
        }
        return instant
    }
}
