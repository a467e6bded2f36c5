internal import HeliumJSON

/// A reason for which the server rejects a text of a client.
package enum TextFault: Hashable, Sendable {
    /// The text contains U+0000, which terminates texts in SQLite. The text after it would be lost without an error.
    case null
    /// The text has more than ``MarkRun/maximum`` combining marks in a row.
    case marks

    /// The reason in the form used in error messages.
    package var reason: String {
        switch self {
        case .null: "text must not hold the character U+0000"
        case .marks: "text must not have more than \(MarkRun.maximum) combining marks in a row"
        }
    }
}

/// Runs of combining marks.
///
/// Swift compares and hashes strings by canonical equivalence. Normalization sorts each run of marks in time
/// proportional to the square of its length. The Stream-Safe Text Format allows 30 marks (UAX #15, section 13). Every
/// text of a client is checked where it is decoded, so that no later comparison gets a long run.
package enum MarkRun {
    /// The maximum number of marks in a row. It equals the maximum length of a Cosm datastream's value.
    package static let maximum = 255

    /// Returns whether normalization sorts a scalar with its neighbors.
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // These three scalars are not marks themselves, but decompose to marks only (UAX #15, section 5.1).
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension StringProtocol {
    /// The reason to reject the text; `nil` if it is valid. The check takes linear time.
    package var textFault: TextFault? {
        if holdsNull { return .null }
        return holdsLongMarkRun ? .marks : nil
    }

    /// Whether the text has more than ``MarkRun/maximum`` combining marks in a row.
    package var holdsLongMarkRun: Bool {
        // Combining marks begin at U+0300, whose first byte is 0xCC.
        guard utf8.contains(where: { $0 >= 0xCC }) else { return false }
        var run = 0
        for scalar in unicodeScalars {
            run = MarkRun.isMark(scalar) ? run + 1 : 0
            if run > MarkRun.maximum { return true }
        }
        return false
    }

    /// Whether the text contains U+0000.
    package var holdsNull: Bool { utf8.contains(0) }

}

extension JSONValue {
    /// The fault of the first invalid text or member name; `nil` if all are valid.
    package var textFault: TextFault? {
        switch self {
        case .string(let text): text.textFault
        case .array(let elements): elements.firstValue(of: \.textFault)
        case .object(let object): object.firstValue { $0.name.textFault ?? $0.value.textFault }
        default: nil
        }
    }
}

extension Sequence {
    /// Returns the first result that is not `nil`.
    package func firstValue<Value>(of result: (Element) throws -> Value?) rethrows -> Value? {
        for element in self {
            if let value = try result(element) { return value }
        }
        return nil
    }
}
