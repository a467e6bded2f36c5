/// The field `Content-Range` of one range of bytes (RFC 9110 §14.4).
package struct ContentRange: Hashable {
    /// The first and last byte; `nil` if the requested range does not exist.
    package let bounds: ClosedRange<Int64>?

    /// The total size; `nil` if the server does not know it.
    package let total: Int64?

    /// Parses `bytes 0-499/1234`, `bytes 0-499/*` or `bytes */1234`. Returns `nil` for anything else.
    package init?(_ text: String) {
        guard text.isASCII else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] == "*" {
            total = nil
        } else {
            guard let number = Self.number(halves[1]) else { return nil }
            total = number
        }
        if halves[0] == "*" {
            guard total != nil else { return nil }
            bounds = nil
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        if let total, last >= total { return nil }
        bounds = first...last
    }

    /// Parses digits only, because `Int64` would also accept a sign.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
    }
}
