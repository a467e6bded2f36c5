internal import HeliumServerKit

// The parameters of Cosm's calls. Empty ones count as absent, as LibCOSM leaves them out.

extension FormFields {
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
