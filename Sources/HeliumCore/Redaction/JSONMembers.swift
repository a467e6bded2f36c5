internal import HeliumEssentials

/// Replaces the values of chosen members in JSON text and leaves every other byte unchanged.
///
/// It works on tokens and not on documents. Several documents in a row are handled, and the valid parts of invalid text
/// are kept. It does not recurse, so nested input can't exhaust the stack.
enum JSONMembers {
    /// Returns `bytes` with the values of some members replaced by `mask`, in linear time.
    ///
    /// - Parameters:
    ///   - keepsLiterals: Whether `null`, `true` and `false` are kept, and also a value that is cut off before it
    ///     begins.
    ///   - isChosen: Returns whether the value of the member with a name is replaced. Valid escapes in the name are
    ///     decoded first.
    static func masking(
        _ bytes: [UInt8],
        with mask: String,
        keepsLiterals: Bool,
        where isChosen: (String) -> Bool
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == quote else {
                out.append(bytes[index])
                index += 1
                continue
            }
            let end = endOfString(bytes, from: index)
            out += bytes[index..<end]
            let name = bytes[index..<end]
            index = end
            let colon = skippingSpace(bytes, from: end)
            guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { continue }
            let value = skippingSpace(bytes, from: colon + 1)
            if keepsLiterals, value == bytes.count || "ntf".utf8.contains(bytes[value]) { continue }
            guard isChosen(text(of: name)) else { continue }
            out += bytes[end..<value]
            out += mask.utf8
            index = endOfValue(bytes, from: value)
        }
        return out
    }

    /// Calls `member` with the value of each chosen member, and `text` with each string that has escapes, in linear
    /// time. A member inside of a chosen value is not visited.
    ///
    /// - Parameter stringsOnly: Whether only members whose values are strings are chosen.
    static func visit(
        _ bytes: [UInt8],
        stringsOnly: Bool = false,
        where isChosen: (String) -> Bool,
        member: (ArraySlice<UInt8>) -> Void,
        text escaped: (ArraySlice<UInt8>) -> Void
    ) {
        var index = 0
        while let start = bytes[index...].firstIndex(of: quote) {
            let end = endOfString(bytes, from: start)
            let token = bytes[start..<end]
            if token.contains(UInt8(ascii: "\\")) { escaped(token) }
            index = end
            let colon = skippingSpace(bytes, from: end)
            guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), isChosen(text(of: token)) else { continue }
            let value = skippingSpace(bytes, from: colon + 1)
            if stringsOnly, value == bytes.count || bytes[value] != quote { continue }
            index = endOfValue(bytes, from: value)
            member(bytes[value..<index])
        }
    }

    /// A string within a value.
    struct NestedString {
        /// The string with its quotes.
        let token: ArraySlice<UInt8>
        /// The name of the member that it is, or whose array it is in; `nil` for a name and for a string without one.
        let name: ArraySlice<UInt8>?
        /// The number of objects around it.
        let depth: Int
    }

    /// Calls `visit` with each string of a value, in linear time.
    static func visitStrings(_ bytes: [UInt8], _ visit: (NestedString) -> Void) {
        var (index, depth) = (0, 0)
        var name: ArraySlice<UInt8>?
        while index < bytes.count {
            switch bytes[index] {
            case quote:
                let end = endOfString(bytes, from: index)
                let token = bytes[index..<end]
                let next = skippingSpace(bytes, from: end)
                if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
                    visit(NestedString(token: token, name: nil, depth: depth))
                    name = token
                } else {
                    visit(NestedString(token: token, name: name, depth: depth))
                }
                index = end
                continue
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            default: break
            }
            index += 1
        }
    }

    private static let quote = UInt8(ascii: "\"")

    /// Returns the text of a string in quotes with its escapes decoded.
    static func text(of token: ArraySlice<UInt8>) -> String {
        if token.contains(UInt8(ascii: "\\")),
            let name = try? HeliumJSONDecoder().decode(String.self, from: Array(token))
        {
            return name
        }
        // A string that was cut has no closing quote.
        let content = token.dropFirst()
        return String(decoding: content.last == quote ? content.dropLast() : content, as: UTF8.self)
    }

    private static func skippingSpace(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index
    }

    /// Returns the index after the closing quote of the string that begins at `start`, or the end of the bytes.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == quote { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    /// Returns the index after the value that begins at `start`, or the end of the bytes. A scalar ends before a comma,
    /// a bracket or a line feed, but not at a space, so invalid text is masked too much rather than too little.
    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case quote:
                index = endOfString(bytes, from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return skippingSpaceBackwards(bytes, from: index, to: start) }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), 0x0A:
                if depth == 0 { return skippingSpaceBackwards(bytes, from: index, to: start) }
            default:
                break
            }
            index += 1
        }
        return bytes.count
    }

    private static func skippingSpaceBackwards(_ bytes: [UInt8], from end: Int, to start: Int) -> Int {
        var index = end
        while index > start, [0x20, 0x09, 0x0D].contains(bytes[index - 1]) { index -= 1 }
        return index
    }
}
