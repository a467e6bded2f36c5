/// A place in a document.
public struct JSONLocation: Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1. Lines end with a line feed.
    public let line: Int

    /// The character in the line, from 1, counted in Unicode scalars.
    public let column: Int

    /// The byte in the document, from 0.
    public let byteOffset: Int

    /// A place.
    public init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// `line 3, column 14 (byte 231)`.
    public var description: String { "line \(line), column \(column) (byte \(byteOffset))" }
}

extension JSONLocation {
    /// The place of a byte, found by looking at all before it.
    init(byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var lines = LineTable()
        self = lines.location(of: byteOffset, in: bytes)
    }
}

/// Finds lines and columns. It remembers those of every chunk's first byte, so that many errors in one document cost no
/// more than one reading of it.
struct LineTable {
    private static let chunk = 256

    private struct Place {
        /// Line feeds before here.
        var lineFeeds = 0
        /// Scalars between the last of them and here.
        var scalars = 0
    }

    /// The place of each chunk's first byte, as far as anybody asked.
    private var places = [Place()]

    /// The place of a byte; one past the end is the end.
    mutating func location(of byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> JSONLocation {
        let offset = max(0, min(byteOffset, bytes.count))
        let chunk = offset / Self.chunk
        while places.count <= chunk {
            let from = (places.count - 1) * Self.chunk
            places.append(Self.place(after: from..<(from + Self.chunk), of: bytes, from: places[places.count - 1]))
        }
        let place = Self.place(after: (chunk * Self.chunk)..<offset, of: bytes, from: places[chunk])
        return JSONLocation(line: place.lineFeeds + 1, column: place.scalars + 1, byteOffset: offset)
    }

    private static func place(after range: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, from: Place) -> Place {
        var place = from
        for byte in bytes[range] {
            if byte == 0x0A {
                place.lineFeeds += 1
                place.scalars = 0
            } else if byte & 0xC0 != 0x80 {  // Every byte but those inside a sequence begins a scalar.
                place.scalars += 1
            }
        }
        return place
    }
}
