/// The position at which the search for an object's next member starts.
///
/// Types usually request their members in document order, so the search continues after the last member found. If a
/// name occurs twice, the first member must be used. Continuing is therefore only correct for a name that none of the
/// skipped members has; `passed` records that with one bit per hash of a name.
@usableFromInline
struct MemberCursor {
    var object = -1
    var position = 0
    var passed: UInt64 = 0
    /// The number of words that searches without a result may still read before the object gets an index.
    var budget = Self.wholeBudget

    /// A few thousand words. The objects of most documents are shorter and never need an index.
    static let wholeBudget = 4096

    /// Returns the bit for a name.
    @inlinable @inline(__always)
    static func bit(_ name: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        guard count > 0 else { return 1 }
        let some =
            UInt64(name[0]) | UInt64(name[count &>> 1]) &<< 8 | UInt64(name[count &- 1]) &<< 16
            | UInt64(truncatingIfNeeded: count) &<< 24
        // The six highest bits of a product with the golden ratio.
        return 1 &<< ((some &* 0x9E37_79B9_7F4A_7C15) &>> 58)
    }
}

/// The cursors of the objects read last. Each object has one slot that it shares with others. If the slot belongs to
/// another object, the search starts from the beginning, which is slower but equally correct.
struct MemberCursors {
    private static let count = 32
    private let slots: UnsafeMutablePointer<MemberCursor>

    init() {
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: MemberCursor(), count: Self.count)
    }

    func deallocate() { slots.deallocate() }

    @inline(__always)
    func slot(of object: Int, isIndexed: @autoclosure () -> Bool) -> UnsafeMutablePointer<MemberCursor> {
        let slot = slots + (object & (Self.count &- 1))
        if slot.pointee.object != object {
            slot.pointee = MemberCursor(
                object: object,
                position: object &+ 1,
                budget: isIndexed() ? 0 : MemberCursor.wholeBudget
            )
        }
        return slot
    }
}

extension JSONDocument {
    /// Returns the value of the first member with this name of the object at `object`.
    @inline(__always)
    func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        let end = next(object)
        let cursor = cursors.slot(of: object, isIndexed: !memberIndexes.isEmpty && memberIndexes[object] != nil)
        let start = name.baseAddress ?? base
        let bit = MemberCursor.bit(start, name.count)
        var passed = cursor.pointee.passed
        guard passed & bit == 0 else { return search(name, in: object) }
        let position = cursor.pointee.position
        var index = position
        // A search with a result moves the position, so all of them together pass the object once. Searches without a
        // result share a budget. Otherwise, requesting the members of a huge object in another order, or members that
        // it does not have, would scan it each time.
        let stop = min(end, index &+ max(cursor.pointee.budget, Self.wordsSearchedAlways))
        while index < stop {
            let word = word(index)
            if isEqual(word, name) {
                cursor.pointee.position = next(index &+ 1)
                cursor.pointee.passed = passed | bit
                return index &+ 1
            }
            // The hash of an escaped name is unknown, so any name may be among the skipped ones.
            passed |= word.kind == .escapedString ? ~0 : MemberCursor.bit(base + word.offset, word.length)
            index = next(index &+ 1)
        }
        if index &- position > Self.wordsSearchedAlways { cursor.pointee.budget &-= index &- position }
        return index >= end ? nil : search(name, in: object)
    }

    /// The number of words from the cursor on that are searched even in objects that have an index.
    private static var wordsSearchedAlways: Int { 64 }

    /// Searches from the first member on.
    @inline(never)
    private func search(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        let end = next(object)
        var index = object &+ 1
        var count = 0
        while index < end, count < 64 {
            if isEqual(word(index), name) { return index &+ 1 }
            index = next(index &+ 1)
            count &+= 1
        }
        guard index < end else { return nil }
        return memberIndex(of: object)[String(decoding: name, as: UTF8.self)]
    }

    /// Returns the values of an object's members by name, and keeps them for later searches. If a name occurs twice,
    /// the first member is used.
    private func memberIndex(of object: Int) -> [ByteText: Int] {
        if let known = memberIndexes[object] { return known }
        var members: [ByteText: Int] = [:]
        forEachMember(of: object) { name, value in
            let name = ByteText(string(name))
            if members[name] == nil { members[name] = value }
        }
        memberIndexes[object] = members
        return members
    }

    /// Calls `body` with each member's name and the index of its value, in document order.
    @inline(__always)
    func forEachMember(of object: Int, _ body: (TapeWord, Int) throws -> Void) rethrows {
        let end = next(object)
        var index = object &+ 1
        while index < end {
            try body(word(index), index &+ 1)
            index = next(index &+ 1)
        }
    }
}
