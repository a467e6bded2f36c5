/// The kept part of a stream: the beginning of a text whose end has not arrived yet.
struct Capture {
    enum Kind {
        case nothing, element
        /// A name, which is dropped if it has more bytes than `longest`.
        case name(longest: Int)
    }

    private(set) var kind = Kind.nothing
    /// The part of the text from earlier bytes.
    private var kept: [UInt8] = []
    /// The index in the current bytes at which the text begins or continues.
    private var start = 0

    @inline(__always)
    mutating func begin(_ kind: Kind, at position: Int) {
        self.kind = kind
        start = position
    }

    /// Returns the length of the text if it ends at a position.
    @inline(__always)
    func count(at position: Int) -> Int { kept.count &+ (position &- start) }

    /// Keeps the text's part of the current bytes, all of which were read.
    mutating func keep(from scanner: ByteScanner) {
        switch kind {
        case .nothing: return
        case .name(let longest) where count(at: scanner.count) > longest: drop()
        case .name, .element:
            kept.append(contentsOf: UnsafeBufferPointer(start: scanner.base + start, count: scanner.count - start))
            start = 0
        }
    }

    /// Passes the text, which ends with the bytes, to `body`, and then drops it.
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
