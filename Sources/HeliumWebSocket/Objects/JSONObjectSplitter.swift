package import NIOCore

/// Finds the ends of JSON objects in a stream of bytes by their braces. Newlines between the objects are optional.
///
/// It performs no I/O. It recognizes only strings and escapes; the decoder of an object validates the rest.
package struct JSONObjectSplitter {
    private let maximumBytes: Int
    /// The number of unread bytes that have been examined.
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The number of bytes of white space since the last object.
    private var space = 0

    /// The maximum number of bytes of white space between two objects. It allows years of keep-alive line breaks, and
    /// stops a peer that sends only white space within a fraction of a second.
    static let maximumSpaceBytes = 64 << 10

    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// Whether an object has begun and is not complete.
    var isWithinObject: Bool { depth > 0 }

    /// Takes the next object from `bytes`. Returns `nil` if more bytes are needed.
    package mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> ByteBuffer? {
        if depth == 0 {
            try skipSpace(&bytes)
            guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return nil }
            guard first == UInt8(ascii: "{") else { throw .violation("received data that is not a JSON object") }
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
            throw .violation("received more than \(Self.maximumSpaceBytes) bytes of white space between two objects")
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
