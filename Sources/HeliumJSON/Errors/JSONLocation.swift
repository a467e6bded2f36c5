/// A position in a document.
public struct JSONLocation: Hashable, Sendable, CustomStringConvertible {
    /// The line number, from 1. Lines end with a line feed.
    public let line: Int

    /// The column in the line, from 1, counted in Unicode scalars.
    public let column: Int

    /// The byte offset in the document, from 0.
    public let byteOffset: Int

    /// Creates a position.
    public init(line: Int, column: Int, byteOffset: Int) {
        self.line = line
        self.column = column
        self.byteOffset = byteOffset
    }

    /// A description such as `line 3, column 14 (byte 231)`.
    public var description: String { "line \(line), column \(column) (byte \(byteOffset))" }
}

extension JSONLocation {
    /// Creates the position of a byte by scanning all bytes before it.
    init(byteOffset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var lines = LineTable()
        self = lines.location(of: byteOffset, in: bytes)
    }
}

/// Finds lines and columns. It stores those of the first byte of every chunk, so that many errors in one document cost
/// no more than one pass over it.
struct LineTable {
    private static let chunk = 256

    private struct Place {
        /// The number of line feeds before this position.
        var lineFeeds = 0
        /// The number of scalars between the last line feed and this position.
        var scalars = 0
    }

    /// The positions of the first bytes of the chunks that were scanned so far.
    private var places = [Place()]

    /// Returns the position of a byte. Offsets past the end return the end.
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
