/// A parsed document while it is decoded: its bytes, its tape and its settings.
///
/// The bytes belong to the caller during the call that reads them. If a decoder or container is kept for longer,
/// ``decode(_:options:_:)`` copies them.
@usableFromInline
final class JSONDocument {
    /// The address of the document's first byte. It is stored behind a pointer, because each use of a `var` would be
    /// checked for exclusive access.
    @usableFromInline let start: UnsafeMutablePointer<UnsafePointer<UInt8>>
    @usableFromInline let byteCount: Int
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let wordCount: Int
    @usableFromInline let options: DecodingOptions
    /// Whether member names are used as keys unchanged.
    let usesNames: Bool

    /// Whether this object must free the bytes at `base`.
    private var ownsBytes = false

    let cursors: MemberCursors
    /// Whether dates are tried as RFC 3339 first.
    let readsRFC3339: Bool
    let traits: TypeTraitTable<TypeTrait>
    /// The members of large objects, by the object's index on the tape.
    var memberIndexes: [Int: [ByteText: Int]] = [:]
    /// The members of objects whose names a key strategy has converted, by the object's index on the tape.
    var converted: [Int: ConvertedMembers] = [:]
    /// The names known to types that keep unknown members, by the type of their keys.
    var knownNames: [ObjectIdentifier: KnownNames] = [:]
    var lines = LineTable()
    /// The number of elements of long arrays, by the array's index on the tape, as far as requested.
    var elementCounts: [Int: Int] = [:]
    /// The indexes of every 64th child of long arrays or objects, as far as paths were requested.
    var pathMarks: [Int: [Int]] = [:]
    /// The objects that were read as dictionaries, to whose names no key strategy applies; empty if there are none.
    var dictionaries: Set<Int> = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>, options: DecodingOptions) throws(SyntaxFault) {
        (words, wordCount) = try JSONParser.parse(bytes, limits: options.limits)
        // A parsed document has at least one byte, so it has an address.
        start = .allocate(capacity: 1)
        start.initialize(to: bytes.baseAddress.unsafelyUnwrapped)
        byteCount = bytes.count
        cursors = MemberCursors()
        traits = options.traits
        readsRFC3339 = options.dates.beginsWithRFC3339
        self.options = options
        usesNames = options.keys.isDefault
        if options.limits.duplicateMembers == .refused { try refuseDuplicates() }
    }

    deinit {
        words.deallocate()
        cursors.deallocate()
        if ownsBytes { base.deallocate() }
        start.deallocate()
    }

    /// The address of the document's first byte.
    @inlinable
    var base: UnsafePointer<UInt8> {
        @inline(__always) get { start.pointee }
    }

    @inlinable @inline(__always)
    func word(_ index: Int) -> TapeWord { TapeWord(bits: words[index]) }

    /// Returns the index of the value after the one at `index`.
    @inlinable @inline(__always)
    func next(_ index: Int) -> Int { index &+ word(index).span }

    /// Returns a token's text; for a string without its quotes and with its escapes.
    @inlinable @inline(__always)
    func text(_ word: TapeWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + word.offset, count: word.length)
    }

    /// Returns the number of elements of an array or members of an object.
    @usableFromInline
    func elementCount(of container: Int) -> Int {
        let word = word(container)
        guard word.isContainer else { return 0 }
        let step = word.kind == .object ? 1 : 0
        var (count, element) = (0, container &+ 1 &+ step)
        let end = container &+ word.length
        while element < end {
            element = next(element) &+ step
            count &+= 1
        }
        return count
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: byteCount) }
}

extension JSONDocument {
    /// Parses `bytes` and passes the document to `body`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError`` for invalid JSON; the error of `body`.
    static func decode<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        options: DecodingOptions,
        _ body: (JSONDocument) throws -> Value
    ) throws -> Value {
        var document: JSONDocument
        do {
            document = try JSONDocument(bytes, options: options)
        } catch {
            throw DecodingError.dataCorrupted(JSONError(error, in: bytes))
        }
        defer { if !isKnownUniquelyReferenced(&document) { document.keepBytes() } }
        return try body(document)
    }

    /// Copies the caller's bytes, so that the document no longer depends on them.
    private func keepBytes() {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, byteCount))
        copy.initialize(from: base, count: byteCount)
        start.pointee = UnsafePointer(copy)
        ownsBytes = true
    }
}
