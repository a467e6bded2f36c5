internal import HeliumEssentials

/// Reads the lines of one response. It sends the request when the first line is requested.
struct LineReader {
    private let options: LineOptions
    private let open: @Sendable () async throws -> OpenedStream
    private var chunks: BodyStream.Iterator?
    private var splitter: LineSplitter
    private var isOver = false

    /// The response; `nil` until it has arrived.
    private(set) var answer: ResponseSummary?
    /// The number of the last line read, from 1.
    private(set) var lineNumber = 0

    init(_ options: LineOptions, open: @escaping @Sendable () async throws -> OpenedStream) {
        self.options = options
        self.open = open
        splitter = LineSplitter(ends: .lineFeeds, limit: options.lineBytes)
    }
}

extension LineReader {
    /// Returns the next line, or `nil` after the last and after an error was thrown.
    mutating func next<Line>(_ read: (UnsafeRawBufferPointer) -> Line) async throws -> Line? {
        guard !isOver else { return nil }
        do {
            try Task.checkCancellation()
            if answer == nil {
                let opened = try await open()
                answer = opened.answer
                chunks = opened.stream.body.makeAsyncIterator()
            }
            if let line = try await line(read) { return line }
            end()
            return nil
        } catch let error as LineTooLong {
            end()
            throw answer?.ceilingExceeded("line \(lineNumber + 1) has more than \(error.limit) bytes") ?? error
        } catch {
            end()
            throw error
        }
    }

    /// Ends the transfer.
    mutating func end() {
        isOver = true
        chunks = nil
        splitter = LineSplitter(ends: .lineFeeds, limit: 0)
    }

    private mutating func line<Line>(_ read: (UnsafeRawBufferPointer) -> Line) async throws -> Line? {
        while true {
            let isFirst = lineNumber == 0
            if let line = try splitter.next({ read(isFirst ? $0.withoutByteOrderMark : $0) }) {
                lineNumber += 1
                return line
            }
            guard let chunk = try await chunks?.next() else { break }
            splitter.append(chunk)
        }
        // A cancelled stream may end without an error.
        try Task.checkCancellation()
        let isFirst = lineNumber == 0
        guard let line = try splitter.finish({ read(isFirst ? $0.withoutByteOrderMark : $0) }) else { return nil }
        lineNumber += 1
        if options.requiresFinalLineEnd, let answer {
            throw answer.error(.connectionLost, "the body ended in the middle of line \(lineNumber)")
        }
        return line
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes without a UTF-8 byte order mark at their beginning.
    var withoutByteOrderMark: Self {
        starts(with: [0xEF, 0xBB, 0xBF]) ? Self(rebasing: dropFirst(3)) : self
    }
}
