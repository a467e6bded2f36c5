/// What is kept of a stream: the beginning of a text whose end is still to come.
struct Capture {
    enum Kind {
        case nothing, element
        /// A name, which is of no interest if it has more bytes than this.
        case name(longest: Int)
    }

    private(set) var kind = Kind.nothing
    /// What came with earlier bytes.
    private var kept: [UInt8] = []
    /// Where in the bytes at hand the text begins, or goes on.
    private var start = 0

    @inline(__always)
    mutating func begin(_ kind: Kind, at position: Int) {
        self.kind = kind
        start = position
    }

    /// How long the text is, if it ends at a position.
    @inline(__always)
    func count(at position: Int) -> Int { kept.count &+ (position &- start) }

    /// Keeps what the bytes at hand have of it, all of which were read.
    mutating func keep(from scanner: ByteScanner) {
        switch kind {
        case .nothing: return
        case .name(let longest) where count(at: scanner.count) > longest: drop()
        case .name, .element:
            kept.append(contentsOf: UnsafeBufferPointer(start: scanner.base + start, count: scanner.count - start))
            start = 0
        }
    }

    /// Hands the text over, which ends with the bytes, and forgets it.
    mutating func take<Result>(
        endingIn bytes: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        defer { drop() }
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        if kept.isEmpty { return body(rest) }
        kept.append(contentsOf: rest)
        return kept.withUnsafeBytes(body)
    }

    mutating func drop() {
        kind = .nothing
        start = 0
        kept.removeAll(keepingCapacity: true)
    }
}
