/// Text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Use it as the key of a dictionary, as the element of a set and as the subject of a `switch` wherever the text comes
/// from a peer. `String` compares and hashes by canonical equivalence. Normalization sorts each run of combining marks,
/// which takes time that grows with the square of the run's length: a member name of 240 KB costs minutes.
///
/// ```swift
/// var seen: Set<ByteText> = []
/// if seen.insert(ByteText(id)).inserted { … }
///
/// switch ByteText(method) {
/// case "subscribe": …
/// default: …
/// }
/// ```
///
/// `é` of one scalar and `é` of two scalars are different texts here, as in the names of JSON (RFC 8259 §8.3), in XML and
/// in URLs. Copying costs as much as copying the string.
package struct ByteText: Sendable {
    /// The text itself.
    package let string: String

    /// The text of a string.
    package init(_ string: String) { self.string = string }

    /// The text of a part of a string, copied.
    package init(_ text: Substring) { string = String(text) }
}

extension ByteText: Hashable, Comparable {
    /// Whether two texts are the same bytes.
    package static func == (left: ByteText, right: ByteText) -> Bool { left.string.hasSameBytes(as: right.string) }

    /// Whether the bytes of `left` come before those of `right`. This is the order of the code points too.
    package static func < (left: ByteText, right: ByteText) -> Bool { left.string.bytesPrecede(right.string) }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension ByteText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of a literal.
    package init(stringLiteral string: String) { self.init(string) }

    /// The text itself.
    package var description: String { string }
}

extension Dictionary where Key == ByteText {
    /// The value for a text, found by the text's bytes.
    package subscript(_ text: String) -> Value? {
        get { self[ByteText(text)] }
        set { self[ByteText(text)] = newValue }
        _modify { yield &self[ByteText(text)] }
    }

    /// The value for a text, found by the text's bytes; `initial` if there is none.
    package subscript(_ text: String, default initial: @autoclosure () -> Value) -> Value {
        get { self[ByteText(text), default: initial()] }
        _modify { yield &self[ByteText(text), default: initial()] }
    }
}

extension Set where Element == ByteText {
    /// Whether the set has a text of these bytes.
    package func contains(_ text: String) -> Bool { contains(ByteText(text)) }

    /// Adds a text; `false` if it was there.
    @discardableResult
    package mutating func insert(_ text: String) -> Bool { insert(ByteText(text)).inserted }
}
