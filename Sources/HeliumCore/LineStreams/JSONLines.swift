internal import HTTPTypes
internal import HeliumEssentials

/// The values of a body with one JSON text on each line, as they arrive (NDJSON, JSON Lines).
///
/// A line ends with LF or CR LF and is decoded by the client's ``ClientOptions/decoder``. Blank lines are skipped but
/// counted. The last line needs no line end. Each iterator sends the request when its first value is requested.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the transfer. A connection that breaks in the middle of a line fails, and the incomplete line is not delivered.
public struct JSONLines<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let options: LineOptions
    private let badLines: BadLinePolicy
    private let decoder: any BodyDecoder
    private let open: @Sendable () async throws -> OpenedStream

    init(
        _ options: LineOptions,
        badLines: BadLinePolicy,
        decoder: any BodyDecoder,
        open: @escaping @Sendable () async throws -> OpenedStream
    ) {
        self.options = options
        self.badLines = badLines
        self.decoder = decoder
        self.open = open
    }

    /// Creates an iterator, which sends the request when its first value is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: LineReader(options, open: open), badLines: badLines, decoder: decoder)
    }

    /// Iterates over the values.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: LineReader
        fileprivate let badLines: BadLinePolicy
        fileprivate let decoder: any BodyDecoder
    }
}

extension JSONLines.Iterator {
    /// Returns the next value, or `nil` after the last.
    ///
    /// - Throws: ``HeliumError``, once, after which the sequence has ended: ``FailureKind/decodingFailed`` names the
    ///   line's number. `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> Element? {
        while let line = try await reader.next({ $0.isBlank ? nil : Data($0) }) {
            guard let line else { continue }
            do {
                if let value = try decoder.decode(Element.self, from: line, at: []) { return value }
                throw DecodingError.valueNotFound(Element.self, .init(codingPath: [], debugDescription: "no value"))
            } catch {
                guard let failure = failure(of: line, error) else { throw error }
                guard let report = badLines.report else {
                    reader.end()
                    throw failure
                }
                report(failure)
            }
        }
        return nil
    }

    private func failure(of line: Data, _ error: any Error) -> HeliumError? {
        guard let answer = reader.answer else { return nil }
        var failure = answer.error(.decodingFailed, "line \(reader.lineNumber) can't be decoded as \(Element.self)")
        failure[fact: \.decoding] = DecodingFailure(type: Element.self, error: error, redactor: answer.redactor)
        failure[fact: \.underlying] = error
        failure[fact: \.bodyExcerpt] = answer.excerpt(of: line)
        return failure
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the bytes contain only JSON white space.
    fileprivate var isBlank: Bool { allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 } }
}

extension RequestBuilder {
    /// Returns the response body as values, one JSON text on each line, as they arrive.
    ///
    /// Requests `application/x-ndjson` unless the request has an `Accept` field of its own. The media type of the
    /// response is ignored.
    ///
    /// - Parameters:
    ///   - type: The type of a line's value.
    ///   - options: The limit and the end of lines.
    ///   - badLines: The handling of lines that can't be decoded. Default: ``BadLinePolicy/fail``.
    public func jsonLines<Line: Decodable & Sendable>(
        of type: Line.Type = Line.self,
        _ options: LineOptions = LineOptions(),
        badLines: BadLinePolicy = .fail
    ) -> JSONLines<Line> {
        let builder = fieldByDefault(.accept, "application/x-ndjson")
        return JSONLines(options, badLines: badLines, decoder: bodyDecoder) {
            try await builder.openStream()
        }
    }
}
