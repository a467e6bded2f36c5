internal import NIOCore

/// Finds where JSON objects end in a stream of bytes, by their braces: newlines may stand between them or not.
///
/// A value without I/O. It knows strings and escapes and nothing else of JSON; whoever decodes an object judges it.
struct JSONObjectSplitter {
    private let maximumBytes: Int
    /// The number of unread bytes that have been looked at.
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The white space since the last object, in bytes.
    private var space = 0

    /// The most bytes of white space between two objects: keep-alive line breaks of years, and a fraction of a second of
    /// a peer that sends nothing else.
    static let maximumSpaceBytes = 64 << 10

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Whether an object has begun and is not complete.
    var isWithinObject: Bool { depth > 0 }

    /// Takes the next object out of `bytes`; `nil` when more bytes are needed.
    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> ByteBuffer? {
        if depth == 0 {
            try skipSpace(&bytes)
            guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return nil }
            guard first == UInt8(ascii: "{") else { throw .violation("something that is no JSON object arrived") }
            space = 0
        }
        let end = bytes.withUnsafeReadableBytes { endOfObject($0) }
        guard (end ?? scanned) <= maximumBytes else { throw .tooBig(.messageBytes, limit: maximumBytes) }
        guard let end else { return nil }
        scanned = 0
        return bytes.readSlice(length: end)
    }

    private mutating func skipSpace(_ bytes: inout ByteBuffer) throws(ConnectionFault) {
        let count = bytes.withUnsafeReadableBytes { $0.prefix { $0 == 32 || 9...10 ~= $0 || $0 == 13 }.count }
        bytes.moveReaderIndex(forwardBy: count)
        space += count
        guard space <= Self.maximumSpaceBytes else {
            throw .violation("more than \(Self.maximumSpaceBytes) bytes of white space arrived between two objects")
        }
    }

    private mutating func endOfObject(_ bytes: UnsafeRawBufferPointer) -> Int? {
        while scanned < bytes.count {
            let byte = bytes[scanned]
            scanned += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return scanned }
            default: break
            }
        }
        return nil
    }
}
