/// Splits a body with the transfer coding `chunked` (RFC 9112 §7.1) into its data, up to the trailer section.
///
/// Extensions are ignored. Line ends are CRLF: a bare line feed, which other recipients read in other ways, is invalid.
struct ChunkedBody {
    enum Event {
        case needsBytes
        /// A part of the data, inside the bytes given.
        case data(UnsafeRawBufferPointer)
        /// The last chunk has arrived. The trailer section follows.
        case end
        case invalid
    }

    private enum State { case firstDigit, digits, space, extensions, sizeFeed, data, dataReturn, dataFeed }

    /// The maximum number of bytes of a line with a size, which includes extensions.
    static let lineLimit = 1024

    private var state = State.firstDigit
    /// The size of the chunk, of which the bytes before ``State/data`` are the digits so far.
    private var size: Int64 = 0
    private var lineBytes = 0

    /// The number of bytes that are certain to follow as data.
    var remainingBytes: Int64 { state == .data ? size : 0 }

    /// Takes bytes from `position` on until there is an event.
    mutating func read(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Event {
        while position < bytes.count {
            if state == .data { return readData(bytes, from: &position) }
            guard take(bytes[position]) else { return .invalid }
            position += 1
            if state == .data, size == 0 { return .end }
        }
        return .needsBytes
    }

    private mutating func readData(_ bytes: UnsafeRawBufferPointer, from position: inout Int) -> Event {
        let count = Int(min(size, Int64(bytes.count - position)))
        let data = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
        position += count
        size -= Int64(count)
        if size == 0 { state = .dataReturn }
        return .data(data)
    }

    /// Returns whether a byte outside of the data is valid where it is.
    private mutating func take(_ byte: UInt8) -> Bool {
        switch state {
        case .firstDigit:
            size = 0
            lineBytes = 1
            state = .digits
            return takeDigit(byte)
        case .digits where takeDigit(byte): return isWithinLimit()
        case .digits, .space:
            switch byte {
            // Some servers pad the size with spaces.
            case 0x20, 0x09: state = .space
            case UInt8(ascii: ";"): state = .extensions
            case 0x0D: state = .sizeFeed
            default: return false
            }
            return isWithinLimit()
        case .extensions:
            if byte == 0x0D { state = .sizeFeed } else if byte == 0x0A || byte == 0 { return false }
            return isWithinLimit()
        case .sizeFeed:
            state = .data
            return byte == 0x0A
        case .dataReturn:
            state = .dataFeed
            return byte == 0x0D
        case .dataFeed:
            state = .firstDigit
            return byte == 0x0A
        case .data: return false
        }
    }

    private mutating func isWithinLimit() -> Bool {
        lineBytes += 1
        return lineBytes <= Self.lineLimit
    }

    /// Adds a hexadecimal digit to the size. Returns `false` if it is none, or the size is 2⁶³ or more.
    private mutating func takeDigit(_ byte: UInt8) -> Bool {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- 55
        default: return false
        }
        guard size <= Int64.max >> 4 else { return false }
        size = size << 4 | Int64(digit)
        return true
    }
}
