/// A parsed document while it is decoded: its bytes, its tape, and how it is to be read.
///
/// The bytes are the caller's for as long as the call lasts that reads them. A decoder or container that somebody keeps for
/// longer finds a copy: ``decode(_:options:_:)`` sees to it.
@usableFromInline
final class JSONDocument {
    /// Where the document's first byte is: behind a pointer, since a `var` would be checked for exclusive access at each use.
    @usableFromInline let start: UnsafeMutablePointer<UnsafePointer<UInt8>>
    @usableFromInline let byteCount: Int
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let wordCount: Int
    @usableFromInline let options: DecodingOptions
    /// Whether members' names are keys as they stand.
    let usesNames: Bool

    /// Whether `base` is ours to free.
    private var ownsBytes = false

    let cursors: MemberCursors
    /// Whether dates are tried as RFC 3339 before anything else.
    let readsRFC3339: Bool
    let traits: TypeTraitTable<TypeTrait>
    /// Members of large objects, by their index on the tape.
    var memberIndexes: [Int: [ByteText: Int]] = [:]
    /// Members of objects whose names a key strategy converted, by their index on the tape.
    var converted: [Int: ConvertedMembers] = [:]
    /// The names that types which keep unknown members know, by the type of their keys.
    var knownNames: [ObjectIdentifier: KnownNames] = [:]
    var lines = LineTable()
    /// How many elements long arrays have, by their index on the tape, as far as anybody asked.
    var elementCounts: [Int: Int] = [:]
    /// Where every 64th child of a long array or object is, as far as a path led there.
    var pathMarks: [Int: [Int]] = [:]
    /// Objects that were read as dictionaries, whose names no key strategy concerns; empty where there is none.
    var dictionaries: Set<Int> = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>, options: DecodingOptions) throws(SyntaxFault) {
        (words, wordCount) = try JSONParser.parse(bytes, limits: options.limits)
        // A document that was parsed has a byte, so an address.
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

    /// The document's first byte.
    @inlinable
    var base: UnsafePointer<UInt8> {
        @inline(__always) get { start.pointee }
    }

    @inlinable @inline(__always)
    func word(_ index: Int) -> TapeWord { TapeWord(bits: words[index]) }

    /// The index of the value after the one at `index`.
    @inlinable @inline(__always)
    func next(_ index: Int) -> Int { index &+ word(index).span }

    /// A token's text: a string's without quotes and with its escapes.
    @inlinable @inline(__always)
    func text(_ word: TapeWord) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base + word.offset, count: word.length)
    }

    /// How many values an array or object has.
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
    /// Parses `bytes` and hands the document to `body`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with a ``JSONError`` for what is no JSON, and what `body` throws.
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

    /// Lets go of the caller's bytes.
    private func keepBytes() {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, byteCount))
        copy.initialize(from: base, count: byteCount)
        start.pointee = UnsafePointer(copy)
        ownsBytes = true
    }
}
