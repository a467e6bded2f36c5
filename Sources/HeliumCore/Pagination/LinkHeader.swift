/// The links of a `Link` field (RFC 8288 §3).
///
/// A part that can't be parsed is skipped up to the next comma that separates links, and ``isMalformed`` is set.
package struct LinkHeader: Sendable {
    /// One link.
    package struct Link: Hashable, Sendable {
        /// The target: an absolute or relative reference, unchanged.
        package var reference: String
        /// The relations to the target, such as `next` or `prev`, in lower case. Only the first `rel` is used (RFC 8288
        /// §3.3).
        package var relations: [String]
        /// The context of the link if it is not the response itself (RFC 8288 §3.2).
        package var anchor: String?

        /// Returns whether the link has this relation, which must be in lower case.
        package func leads(as relation: String) -> Bool { relations.contains { $0.hasSameBytes(as: relation) } }

        package init(reference: String, relations: [String], anchor: String? = nil) {
            self.reference = reference
            self.relations = relations
            self.anchor = anchor
        }
    }

    /// The links in order.
    package private(set) var links: [Link] = []

    /// Whether a part could not be parsed.
    package private(set) var isMalformed = false

    /// Parses a field's value.
    package init(_ value: String) {
        var scanner = LinkScanner(Array(value.utf8))
        while scanner.skipToLink() {
            if let link = scanner.link() {
                links.append(link)
            } else {
                isMalformed = true
                scanner.skipBrokenLink()
            }
        }
    }
}

/// Scans the bytes of a field's value.
private struct LinkScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while let current, isPart(current) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while let current, current == 32 || current == 9 { position += 1 }
    }
}

extension LinkScanner {
    /// Moves to the start of the next link. Returns `false` at the end.
    mutating func skipToLink() -> Bool {
        repeat { skipSpace() } while take(",")
        return current != nil
    }

    /// Moves to the next comma outside of quotes.
    mutating func skipBrokenLink() {
        var isQuoted = false
        while let byte = current, isQuoted || byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, byte == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            position += 1
        }
    }

    /// Parses `<reference>` and its parameters, up to the comma or the end.
    mutating func link() -> LinkHeader.Link? {
        guard take("<") else { return nil }
        let reference = take { $0 != UInt8(ascii: ">") }
        guard take(">") else { return nil }
        var relations: [String]?
        var anchor: String?
        while true {
            skipSpace()
            if current == nil || current == UInt8(ascii: ",") { break }
            guard take(";") else { return nil }
            skipSpace()
            let name = take(while: Self.isTokenByte).lowercased()
            guard !name.isEmpty else { continue }
            guard let value = value() else { return nil }
            if name == "rel", relations == nil {
                relations = value.lowercased().utf8.split { $0 == 32 || $0 == 9 }
                    .map { String(decoding: $0, as: UTF8.self) }
            }
            if name == "anchor", anchor == nil { anchor = value }
        }
        return LinkHeader.Link(reference: reference, relations: relations ?? [], anchor: anchor)
    }

    /// Returns a parameter's value, quoted or not; empty if it has none, `nil` if its quotes are not closed.
    private mutating func value() -> String? {
        skipSpace()
        guard take("=") else { return "" }
        skipSpace()
        guard take("\"") else {
            return take { !Self.separators.contains($0) }
        }
        var value: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = current else { return nil }
                value.append(escaped)
                position += 1
            default:
                value.append(byte)
            }
        }
        return nil
    }

    private static let separators = Set(" \t;,\"".utf8)

    /// Returns whether the byte is a `tchar` (RFC 9110 §5.6.2), which includes the star of `title*`.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 26 || byte &- 48 < 10 || tokenMarks.contains(byte)
    }

    private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)
}
