/// The format and the size in pixels of an image, from its first bytes.
struct ImageHeader: Hashable, Sendable {
    /// The media type of the image.
    let mediaType: String
    let width: Int
    let height: Int

    private init?(_ mediaType: String, _ width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.mediaType = mediaType
        self.width = width
        self.height = height
    }

    /// Parses the header of a PNG, JPEG, GIF or WebP image; `nil` for other data and for a truncated header.
    init?(_ bytes: [UInt8]) {
        let reader = Reader(bytes: bytes)
        let image: Self?
        if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), reader.has("IHDR", at: 12) {
            image = Self("image/png", reader.big(4, at: 16), reader.big(4, at: 20))
        } else if reader.has("GIF87a", at: 0) || reader.has("GIF89a", at: 0) {
            image = Self("image/gif", reader.little(2, at: 6), reader.little(2, at: 8))
        } else if reader.has("RIFF", at: 0), reader.has("WEBP", at: 8) {
            image = Self.webP(reader)
        } else if reader.has([0xFF, 0xD8, 0xFF], at: 0) {
            image = Self.jpeg(reader)
        } else {
            image = nil
        }
        guard let image else { return nil }
        self = image
    }

    /// Parses the three forms of WebP (RFC 9649 §2): lossy, lossless and extended.
    private static func webP(_ reader: Reader) -> Self? {
        let type = "image/webp"
        if reader.has("VP8 ", at: 12), reader.has([0x9D, 0x01, 0x2A], at: 23) {
            return Self(
                type,
                reader.little(2, at: 26).map { $0 & 0x3FFF },
                reader.little(2, at: 28).map { $0 & 0x3FFF }
            )
        }
        if reader.has("VP8L", at: 12), reader.has([0x2F], at: 20) {
            let bits = reader.little(4, at: 21)
            return Self(type, bits.map { ($0 & 0x3FFF) + 1 }, bits.map { ($0 >> 14 & 0x3FFF) + 1 })
        }
        if reader.has("VP8X", at: 12) {
            return Self(type, reader.little(3, at: 24).map { $0 + 1 }, reader.little(3, at: 27).map { $0 + 1 })
        }
        return nil
    }

    /// Reads the segments up to the one that starts the frame (ITU-T T.81, annex B).
    private static func jpeg(_ reader: Reader) -> Self? {
        var position = 2
        while let mark = reader.big(1, at: position), mark == 0xFF, let kind = reader.big(1, at: position + 1) {
            switch kind {
            case 0xFF:
                // Fill bytes may precede any marker.
                position += 1
            case 0x01, 0xD0...0xD8:
                position += 2
            case 0xC0...0xCF where kind != 0xC4 && kind != 0xC8 && kind != 0xCC:
                return Self("image/jpeg", reader.big(2, at: position + 7), reader.big(2, at: position + 5))
            default:
                guard let length = reader.big(2, at: position + 2), length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    private struct Reader {
        let bytes: [UInt8]

        func has(_ mark: [UInt8], at position: Int) -> Bool {
            position <= bytes.count && bytes[position...].starts(with: mark)
        }

        func has(_ mark: String, at position: Int) -> Bool { has(Array(mark.utf8), at: position) }

        /// Returns a big-endian number of at most four bytes; `nil` if the bytes end before it.
        func big(_ count: Int, at position: Int) -> Int? {
            guard position <= bytes.count - count else { return nil }
            return bytes[position..<(position + count)].reduce(0) { $0 << 8 | Int($1) }
        }

        /// Returns a little-endian number of at most four bytes; `nil` if the bytes end before it.
        func little(_ count: Int, at position: Int) -> Int? {
            guard position <= bytes.count - count else { return nil }
            return bytes[position..<(position + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
