/// Text that is compared, ordered and hashed by its UTF-8 bytes.
///
/// Use it as the key of a dictionary, as the element of a set and as the subject of a `switch` if the text comes from a
/// peer. `String` compares and hashes by canonical equivalence. Normalization sorts each run of combining marks, which
/// takes quadratic time, so a member name of 240 KB takes minutes.
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
/// An `é` of one scalar and an `é` of two scalars are different texts here, as in the names of JSON (RFC 8259 §8.3), in
/// XML and in URLs. Copying costs as much as copying the string.
package struct ByteText: Sendable {
    /// The text itself.
    package let string: String

    /// Creates the text of a string.
    package init(_ string: String) { self.string = string }

    /// Creates the text of a part of a string, which is copied.
    package init(_ text: Substring) { string = String(text) }
}

extension ByteText: Hashable, Comparable {
    /// Returns whether two texts have the same bytes.
    package static func == (left: ByteText, right: ByteText) -> Bool { left.string.hasSameBytes(as: right.string) }

    /// Returns whether the bytes of `left` are ordered before those of `right`. This is also the order of the code
    /// points.
    package static func < (left: ByteText, right: ByteText) -> Bool { left.string.bytesPrecede(right.string) }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) { string.hashBytes(into: &hasher) }
}

extension ByteText: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates the text of a literal.
    package init(stringLiteral string: String) { self.init(string) }

    /// The text itself.
    package var description: String { string }
}

extension Dictionary where Key == ByteText {
    /// The value for a text, which is compared by its bytes.
    package subscript(_ text: String) -> Value? {
        get { self[ByteText(text)] }
        set { self[ByteText(text)] = newValue }
        _modify { yield &self[ByteText(text)] }
    }

    /// The value for a text, which is compared by its bytes; `initial` if there is none.
    package subscript(_ text: String, default initial: @autoclosure () -> Value) -> Value {
        get { self[ByteText(text), default: initial()] }
        _modify { yield &self[ByteText(text), default: initial()] }
    }
}

extension Set where Element == ByteText {
    /// Returns whether the set contains a text with these bytes.
    package func contains(_ text: String) -> Bool { contains(ByteText(text)) }

    /// Adds a text. Returns `false` if the set contained it already.
    @discardableResult
    package mutating func insert(_ text: String) -> Bool { insert(ByteText(text)).inserted }
}
