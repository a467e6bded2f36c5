/// A member of an object, by indexes on the tape.
struct LayoutMember: BitwiseCopyable {
    /// The first bytes of its name, which usually decide the order.
    let prefix: UInt64
    let name: UInt32
    /// The value, which is that of the last member with this name.
    var value: UInt32
}

extension LayoutWriter {
    @inline(__always)
    func sort(from first: Int, _ precedes: (LayoutWriter, LayoutMember, LayoutMember) -> Bool) {
        var members = UnsafeMutableBufferPointer(start: members.base + first, count: members.count - first)
        guard members.count <= 24 else { return members.sort { precedes(self, $0, $1) } }
        for index in stride(from: 1, to: members.count, by: 1) {
            let member = members[index]
            var place = index
            while place > 0, precedes(self, member, members[place - 1]) {
                members[place] = members[place - 1]
                place -= 1
            }
            members[place] = member
        }
    }

    /// Returns whether the first name is ordered before the second by its bytes, or `nil` if they are the same.
    @inline(__always)
    func order(_ first: LayoutMember, _ second: LayoutMember) -> Bool? {
        first.prefix == second.prefix ? orderByAll(first, second) : first.prefix < second.prefix
    }

    private func orderByAll(_ first: LayoutMember, _ second: LayoutMember) -> Bool? {
        withName(Int(first.name)) { first in
            withName(Int(second.name)) { second in
                for index in 0..<min(first.count, second.count) where first[index] != second[index] {
                    return first[index] < second[index]
                }
                return first.count == second.count ? nil : first.count < second.count
            }
        }
    }

    /// Returns the first eight bytes of a name: the first byte highest, with zeros after a shorter name.
    @inline(__always)
    func prefix(_ index: Int) -> UInt64 {
        let word = word(index)
        guard word.kind == .plainString else { return withName(index) { Self.prefix($0) } }
        // At least a quote, a colon and a value follow a name in the text, which may be fewer than eight bytes.
        if word.length >= 8 { return UInt64(bigEndian: Bytes.load8(source + word.offset)) }
        return Self.prefix(UnsafeBufferPointer(start: source + word.offset, count: word.length))
    }

    private static func prefix(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var prefix: UInt64 = 0
        for index in 0..<8 { prefix = prefix << 8 | (index < name.count ? UInt64(name[index]) : 0) }
        return prefix
    }

    /// Calls `body` with a name without its escapes.
    @inline(__always)
    private func withName<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let word = word(index)
        let text = UnsafeBufferPointer(start: source + word.offset, count: word.length)
        if word.kind == .plainString { return body(text) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, text.count)) { name in
            let length = name.baseAddress.map { Unescaper.write(text, to: $0) } ?? 0
            return body(UnsafeBufferPointer(rebasing: name[..<length]))
        }
    }
}
