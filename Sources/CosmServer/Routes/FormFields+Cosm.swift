internal import HeliumServerKit

// The parameters of Cosm's calls. Empty ones count as absent, because LibCOSM leaves them out.

extension FormFields {
    /// Returns whether a parameter is `true` or `1`, in any letter case (Docs/Protocols/Cosm.md §2.2).
    func isTrue(_ name: String) -> Bool {
        switch self[name]?.lowercased() {
        case "true", "1": true
        default: false
        }
    }

    /// Returns a whole number; `nil` without the parameter.
    ///
    /// - Throws: ``CosmFailure`` with 400 for other texts.
    func integer(_ name: String) throws(CosmFailure) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text) else { throw .badParameter("\(name) is not a whole number") }
        return number
    }

    /// Returns a number; `nil` without the parameter.
    ///
    /// - Throws: ``CosmFailure`` with 400 for other texts.
    func number(_ name: String) throws(CosmFailure) -> Double? {
        guard let text = self[name] else { return nil }
        guard let number = NumericText.number(text) else { throw .badParameter("\(name) is not a number") }
        return number
    }

    /// Returns a timestamp, in which a `+` may have become a space; `nil` without the parameter.
    ///
    /// - Throws: ``CosmFailure`` with 400 for an invalid timestamp.
    func stamp(_ name: String) throws(CosmFailure) -> ServerInstant? {
        guard let text = self[name] else { return nil }
        guard let instant = ServerInstant(text.replacing(" ", with: "+")) else {
            throw .invalidStamp(.json)
        }
        return instant
    }
}
