/// The name of a member, which can be compared with constant names in a `switch`.
public struct JSONName {
    @usableFromInline let document: JSONDocument
    @usableFromInline let index: Int

    @inlinable @inline(__always)
    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    /// The name as a string.
    public var string: String { document.string(document.word(index)) }

    /// Returns whether the name equals the pattern, scalar by scalar.
    @inlinable @inline(__always)
    public static func ~= (pattern: StaticString, name: JSONName) -> Bool {
        name.document.isEqual(
            name.document.word(name.index),
            UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
        )
    }
}

/// The names that the reader of an object has passed: one bit for each name's hash, and the names themselves once many
/// share bits.
@usableFromInline
struct PassedNames {
    @usableFromInline var bits: UInt64 = 0
    private var all: Set<[UInt8]>?

    @inlinable @inline(__always)
    init() {}

    /// Returns whether a name may have been passed, and records it as passed.
    @inlinable @inline(__always)
    mutating func mayHold(_ name: JSONName) -> Bool {
        let word = name.document.word(name.index)
        // The hash of an escaped name is unknown.
        let bit =
            word.kind == .escapedString ? ~0 : MemberCursor.bit(name.document.base + word.offset, word.length)
        let isKnown = bits & bit != 0
        bits |= bit
        return isKnown
    }

    /// Adds a name. Returns `false` if it was present. The first call also adds all names before it.
    fileprivate mutating func insert(_ name: [UInt8], allBefore: () -> Set<[UInt8]>) -> Bool {
        bits = ~0
        var names = all.take() ?? allBefore()
        defer { all = names }
        return names.insert(name).inserted
    }
}

extension JSONDocument {
    /// Returns whether an earlier member of the object has the same name.
    @usableFromInline
    @inline(never)
    func isRepeated(_ member: Int, in object: Int, _ passed: inout PassedNames) -> Bool {
        let text = word(member).kind == .plainString ? text(word(member)) : nil
        let name = text == nil ? Array(string(word(member)).utf8) : []
        var (earlier, count) = (object + 1, 0)
        while earlier < member, count < 16 {
            let word = word(earlier)
            let isSame = text.map { isEqual(word, $0) } ?? name.withUnsafeBufferPointer { isEqual(word, $0) }
            if isSame { return true }
            earlier = next(earlier + 1)
            count += 1
        }
        guard earlier < member else { return false }
        return !passed.insert(text.map(Array.init) ?? name) {
            var names: Set<[UInt8]> = []
            var earlier = object + 1
            while earlier < member {
                names.insert(Array(string(word(earlier)).utf8))
                earlier = next(earlier + 1)
            }
            return names
        }
    }
}
