internal import HeliumWebSocketFraming

/// Finds the ends of JSON objects in a stream of bytes by their braces. Newlines between the objects are optional.
///
/// It performs no I/O. It recognizes only strings and escapes; the decoder of an object validates the rest.
package struct JSONObjectSplitter {
    private let maximumBytes: Int
    /// The part of the object in progress that has arrived, if the object did not arrive at once.
    private var assembly: [UInt8] = []
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

    /// Takes the next object from `bytes`. Returns `nil` and takes all bytes if more are needed.
    ///
    /// - Parameter consumed: The number of bytes at the beginning of `bytes` that have been consumed. The splitter
    ///   begins after them, and adds the number of bytes that it takes.
    package mutating func next(_ bytes: RawSpan, consumed: inout Int) throws(ConnectionFault) -> String? {
        if depth == 0 {
            try skipSpace(bytes, &consumed)
            guard consumed < bytes.byteCount else { return nil }
            guard bytes.unsafeLoad(fromByteOffset: consumed, as: UInt8.self) == UInt8(ascii: "{") else {
                throw .violation("received data that is not a JSON object")
            }
            space = 0
        }
        let rest = bytes.extracting(consumed...)
        let end = rest.withUnsafeBytes { endOfObject($0) }
        let part = rest.extracting(..<(end ?? rest.byteCount))
        guard part.byteCount <= maximumBytes - assembly.count else {
            throw .tooBig(.messageBytes, limit: maximumBytes)
        }
        consumed += part.byteCount
        guard end != nil else {
            part.withUnsafeBytes { assembly.append(contentsOf: $0) }
            return nil
        }
        guard let text = text(endingWith: part) else { throw .invalidText("an object") }
        return text
    }

    /// Returns the object that ends with `part`; `nil` if it is not UTF-8.
    private mutating func text(endingWith part: RawSpan) -> String? {
        guard !assembly.isEmpty else { return part.verifiedText }
        part.withUnsafeBytes { assembly.append(contentsOf: $0) }
        defer { assembly = [] }
        return assembly.withUnsafeBytes { $0.bytes.verifiedText }
    }

    private mutating func skipSpace(_ bytes: RawSpan, _ consumed: inout Int) throws(ConnectionFault) {
        let count = bytes.extracting(consumed...).withUnsafeBytes { bytes in
            bytes.prefix { $0 == 32 || 9...10 ~= $0 || $0 == 13 }.count
        }
        consumed += count
        space += count
        guard space <= Self.maximumSpaceBytes else {
            throw .violation("received more than \(Self.maximumSpaceBytes) bytes of white space between two objects")
        }
    }

    /// Returns the number of bytes up to the end of the object; `nil` if they do not complete it.
    private mutating func endOfObject(_ bytes: UnsafeRawBufferPointer) -> Int? {
        for (index, byte) in bytes.enumerated() {
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
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return nil
    }
}
