package import HeliumEssentials

/// Splits bytes that arrive in chunks into lines, whatever the boundaries of the chunks.
///
/// Add bytes with ``append(_:)`` and take lines one by one with ``next(_:)`` until it returns `nil`. Every byte is
/// examined once for each kind of line end, so a long line in many chunks costs no more than in one.
package struct LineSplitter: Sendable {
    /// The line ends that are recognized.
    package enum LineEnds: Sendable {
        /// LF and CR LF, for text and newline-delimited JSON.
        case lineFeeds
        /// LF, CR LF and a single CR, for server-sent events.
        case all
    }

    private static let lineFeed: UInt8 = 10
    private static let carriageReturn: UInt8 = 13

    private let ends: LineEnds
    private let limit: Int
    private var buffer: [UInt8] = []
    /// The index at which the first line begins that was not taken yet.
    private var start = 0
    private var feeds = ByteFinder(LineSplitter.lineFeed)
    private var returns = ByteFinder(LineSplitter.carriageReturn)
    /// Whether a CR has ended the previous line. An LF that follows belongs to it.
    private var skipsLineFeed = false

    /// Creates a splitter that rejects lines of more than `limit` bytes, without their ends.
    package init(ends: LineEnds, limit: Int) {
        self.ends = ends
        self.limit = limit
    }
}

extension LineSplitter {
    /// Adds the next chunk.
    package mutating func append(_ chunk: some ContiguousBytes) {
        // Removes the taken bytes once fewer bytes have to be moved than were taken.
        if start > 0, start >= buffer.count - start {
            buffer.removeSubrange(..<start)
            feeds.shift(by: start)
            returns.shift(by: start)
            start = 0
        }
        chunk.withUnsafeBytes { buffer.append(contentsOf: $0) }
    }

    /// Takes the next complete line. Returns `nil` if more bytes are needed.
    ///
    /// - Throws: ``LineTooLong``, for the same input always at the same line, and on every call after it.
    package mutating func next<Line>(_ read: (UnsafeRawBufferPointer) -> Line) throws(LineTooLong) -> Line? {
        if skipsLineFeed {
            guard start < buffer.count else { return nil }
            skipsLineFeed = false
            if buffer[start] == Self.lineFeed { start += 1 }
        }
        guard let end = nextEnd() else {
            // A CR at the end may be the first half of a line end.
            let isHalfEnd = ends == .lineFeeds && start < buffer.count && buffer.last == Self.carriageReturn
            try check(buffer.count - start - (isHalfEnd ? 1 : 0))
            return nil
        }
        var last = end
        if ends == .lineFeeds, last > start, buffer[last - 1] == Self.carriageReturn { last -= 1 }
        try check(last - start)
        let line = self.read(start..<last, read)
        skipsLineFeed = ends == .all && buffer[end] == Self.carriageReturn
        start = end + 1
        return line
    }

    /// Takes the bytes after the last line end, when no more bytes will arrive. Returns `nil` if there are none.
    ///
    /// - Throws: ``LineTooLong``.
    package mutating func finish<Line>(_ read: (UnsafeRawBufferPointer) -> Line) throws(LineTooLong) -> Line? {
        guard start < buffer.count else { return nil }
        try check(buffer.count - start)
        defer { start = buffer.count }
        return self.read(start..<buffer.count, read)
    }

    private func check(_ length: Int) throws(LineTooLong) {
        guard length <= limit else { throw LineTooLong(limit: limit) }
    }

    private func read<Line>(_ range: Range<Int>, _ read: (UnsafeRawBufferPointer) -> Line) -> Line {
        buffer.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private mutating func nextEnd() -> Int? {
        let feed = feeds.position(in: buffer, from: start)
        guard ends == .all, let carriageReturn = returns.position(in: buffer, from: start) else { return feed }
        return feed.map { min($0, carriageReturn) } ?? carriageReturn
    }
}

/// The error of a line that is longer than the limit.
package struct LineTooLong: Error, Hashable {
    /// The maximum number of bytes.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }
}

/// Finds one byte value in a growing buffer and examines each byte only once.
private struct ByteFinder: Sendable {
    private let byte: UInt8
    private var found: Int?
    private var scanned = 0

    init(_ byte: UInt8) { self.byte = byte }

    mutating func position(in buffer: [UInt8], from start: Int) -> Int? {
        if let found, found >= start { return found }
        let from = max(scanned, start)
        found = buffer.withUnsafeBytes { bytes in
            guard from < bytes.count, let base = bytes.baseAddress,
                let place = memchr(base + from, Int32(byte), bytes.count - from)
            else { return nil }
            return UnsafeRawPointer(place) - base
        }
        scanned = found.map { $0 + 1 } ?? buffer.count
        return found
    }

    /// Adjusts the positions after the buffer has lost its first `count` bytes.
    mutating func shift(by count: Int) {
        found = found.flatMap { $0 >= count ? $0 - count : nil }
        scanned = max(0, scanned - count)
    }
}
