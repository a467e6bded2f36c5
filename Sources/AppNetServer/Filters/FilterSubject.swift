internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// The message of an event, to which the filters of one app are applied.
///
/// It keeps what a clause derives from the message, because thousands of clauses can need the same.
final class FilterSubject {
    let message: JSONValue
    private let isEntrusted: (Int64) throws -> Bool
    private var entrusted: [Int64: Bool] = [:]
    private var composed: [ByteText: [UInt8]] = [:]

    /// - Parameter isEntrusted: Returns whether a user with an id gave the app a token. It is called once for each id.
    init(_ message: JSONValue, isEntrusted: @escaping (Int64) throws -> Bool) {
        self.message = message
        self.isEntrusted = isEntrusted
    }

    /// Returns whether a user gave the app a token.
    func isAuthorized(_ user: Int64) throws -> Bool {
        if let known = entrusted[user] { return known }
        let isAuthorized = try isEntrusted(user)
        entrusted[user] = isAuthorized
        return isAuthorized
    }

    /// Returns whether a text of the message has a part in it.
    func has(_ part: FilterPart, in text: String) -> Bool {
        let key = ByteText(text)
        if let bytes = composed[key] { return part.isPart(of: bytes) }
        let bytes = FilterPart.composed(text)
        composed[key] = bytes
        return part.isPart(of: bytes)
    }
}

/// The text that a clause looks for in others.
struct FilterPart: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Self.composed(text) }

    /// Returns a text as bytes, so that the form in which a letter with an accent was typed makes no difference.
    static func composed(_ text: String) -> [UInt8] {
        // Composing a run of marks takes time proportional to the square of its length.
        Array(text.isSlowToCompare ? text.utf8 : text.precomposedStringWithCanonicalMapping.utf8)
    }

    /// Returns whether the text occurs in another one. The time is proportional to the length of that one (algorithm of
    /// Knuth, Morris and Pratt), so that no clause can make an event costly.
    func isPart(of text: [UInt8]) -> Bool {
        guard bytes.count <= text.count else { return false }
        if bytes.isEmpty { return true }
        // For each index, the length of the longest proper prefix that is also a suffix of the part up to that index.
        var borders = [Int](repeating: 0, count: bytes.count)
        var length = 0
        for index in 1..<bytes.count {
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = length
        }
        length = 0
        for byte in text {
            while length > 0, bytes[length] != byte { length = borders[length - 1] }
            if bytes[length] == byte { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }
}
