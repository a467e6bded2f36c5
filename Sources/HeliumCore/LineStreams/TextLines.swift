/// The lines of an answer's body as text, as they arrive.
///
/// A line ends with LF or CR LF, which are not part of it; a byte order mark at the beginning is left out, bytes that
/// are no UTF-8 become U+FFFD. The request is sent when the first line is asked for, by each iterator anew.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the transfer. A connection that breaks off in the middle of a line fails and does not deliver the half.
public struct TextLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String

    private let options: LineOptions
    private let open: @Sendable () async throws -> OpenedStream

    init(_ options: LineOptions, open: @escaping @Sendable () async throws -> OpenedStream) {
        self.options = options
        self.open = open
    }

    /// An iterator, which sends the request when it is first asked.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: LineReader(options, open: open)) }

    /// Takes the lines one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader

        /// The next line, or `nil` after the last.
        ///
        /// - Throws: ``HeliumError``, once, then the sequence is over; `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> String? {
            try await reader.next { String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension RequestBuilder {
    /// The answer's body as lines of text, as they arrive.
    public func lines(_ options: LineOptions = LineOptions()) -> TextLines {
        TextLines(options) { try await openStream() }
    }
}
