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

    /// Returns whether the name at an index on the tape may have been passed, and records it as passed.
    @inlinable @inline(__always)
    mutating func mayHold(_ name: Int, of document: JSONDocument) -> Bool {
        let word = document.word(name)
        // The hash of an escaped name is unknown.
        let bit = word.kind == .escapedString ? ~0 : MemberCursor.bit(document.base + word.offset, word.length)
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
        let word = word(member)
        if word.kind == .plainString { return isRepeated(text(word), at: member, in: object, &passed) }
        return Array(string(word).utf8).withUnsafeBufferPointer { name in
            isRepeated(name, at: member, in: object, &passed)
        }
    }

    @inline(__always)
    private func isRepeated(
        _ name: UnsafeBufferPointer<UInt8>,
        at member: Int,
        in object: Int,
        _ passed: inout PassedNames
    ) -> Bool {
        var (earlier, count) = (object &+ 1, 0)
        while earlier < member, count < 16 {
            if isEqual(word(earlier), name) { return true }
            earlier = next(earlier &+ 1)
            count &+= 1
        }
        guard earlier < member else { return false }
        return !passed.insert(Array(name)) {
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
