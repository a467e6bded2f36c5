/// The lines of a response body as text, as they arrive.
///
/// A line ends with LF or CR LF, which are not part of it. A byte order mark at the beginning is left out, and invalid
/// UTF-8 becomes U+FFFD. Each iterator sends the request when its first line is requested.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the transfer. A connection that breaks in the middle of a line fails, and the incomplete line is not delivered.
public struct TextLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    private let options: LineOptions
    private let open: @Sendable () async throws -> OpenedStream

    init(_ options: LineOptions, open: @escaping @Sendable () async throws -> OpenedStream) {
        self.options = options
        self.open = open
    }

    /// Creates an iterator, which sends the request when its first line is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(options, open: open)) }

    /// Iterates over the lines.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader

        /// Returns the next line, or `nil` after the last.
        ///
        /// - Throws: ``HeliumError``, once, after which the sequence has ended; `CancellationError` if the task was
        ///   cancelled.
        public mutating func next() async throws -> String? {
            try await reader.next { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension RequestBuilder {
    /// Returns the response body as lines of text, as they arrive.
    public func lines(_ options: LineOptions = LineOptions()) -> TextLines {
        TextLines(options) { try await openStream() }
    }
}
