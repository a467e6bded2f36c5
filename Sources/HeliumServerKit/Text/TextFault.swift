internal import HeliumJSON

/// The reason why the server refuses a text of a client.
package enum TextFault: Hashable, Sendable {
    /// The text holds U+0000, at which SQLite's texts end: what follows it would be lost without an error.
    case null
    /// The text has more than ``MarkRun/maximum`` combining marks in a row.
    case marks

    /// The reason as error messages give it.
    package var reason: String {
        switch self {
        case .null: "text must not hold the character U+0000"
        case .marks: "text must not have more than \(MarkRun.maximum) combining marks in a row"
        }
    }
}

/// Runs of combining marks.
///
/// Swift compares and hashes strings by canonical equivalence, and normalization sorts each run of marks in time that
/// grows with the square of its length. The Stream-Safe Text Format allows 30 marks (UAX #15 §13). Every text of a
/// client is checked where it is decoded, so that no comparison behind that place sees a long run.
package enum MarkRun {
    /// The most marks in a row: as many as the longest value of a Cosm datastream has characters.
    package static let maximum = 255

    /// Whether scalars are sorted with their neighbours when text is normalized.
    package static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // These three are no marks themselves and decompose to marks alone (UAX #15 §5.1).
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension StringProtocol {
    /// The reason to refuse the text; `nil` if it may be used. Takes time that grows with the length alone.
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

    /// Whether the text holds U+0000.
    package var holdsNull: Bool { utf8.contains(0) }

}

extension JSONValue {
    /// The fault of the first text or member name that has one.
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
    /// The first result that is not `nil`.
    package func firstValue<Value>(of result: (Element) -> Value?) -> Value? {
        for element in self {
            if let value = result(element) { return value }
        }
        return nil
    }
}
