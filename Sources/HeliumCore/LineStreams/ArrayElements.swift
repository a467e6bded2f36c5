internal import HTTPTypes
internal import HeliumEssentials

/// The elements of a JSON array in a response body, each as soon as it has arrived.
///
/// The body may be of any length; only one element is held in memory. Each element is decoded by the client's
/// ``ClientOptions/decoder``. The whole document is validated, including the parts around the array: it must be
/// complete JSON (RFC 8259) with nothing after it. Each iterator sends the request when its first element is requested.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the transfer. A failure does not affect elements that were delivered before it.
public struct ArrayElements<Element: Decodable & Sendable>: AsyncSequence, Sendable {
    private let path: [String]
    private let options: ElementOptions
    private let badElements: BadLinePolicy
    private let decoder: any BodyDecoder
    private let open: @Sendable () async throws -> OpenedStream

    init(
        at path: [String],
        _ options: ElementOptions,
        badElements: BadLinePolicy,
        decoder: any BodyDecoder,
        open: @escaping @Sendable () async throws -> OpenedStream
    ) {
        self.path = path
        self.options = options
        self.badElements = badElements
        self.decoder = decoder
        self.open = open
    }

    /// Creates an iterator, which sends the request when its first element is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            reader: ElementReader(at: path, options, open: open),
            path: path,
            badElements: badElements,
            decoder: decoder
        )
    }

    /// Iterates over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: ElementReader
        fileprivate let path: [String]
        fileprivate let badElements: BadLinePolicy
        fileprivate let decoder: any BodyDecoder
    }
}

extension ArrayElements.Iterator {
    /// Returns the next element, or `nil` after the last, once the body has ended.
    ///
    /// - Throws: ``HeliumError``, once, after which the sequence has ended: ``FailureKind/decodingFailed`` for a body
    ///   that is not JSON, a value that is not an array (including `null`), or an element that can't be decoded, with
    ///   its index in the ``DecodingFailure/codingPath`` and the line and column in the reason;
    ///   ``FailureKind/emptyResponse`` if there is no value at the path. `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> Element? {
        while let (text, place) = try await reader.next() {
            do {
                if let value = try decoder.decode(Element.self, from: text, at: []) { return value }
                throw DecodingError.valueNotFound(Element.self, .init(codingPath: [], debugDescription: "no value"))
            } catch {
                let error = (error as? DecodingError)?.inStream(at: path, place) ?? error
                guard let failure = failure(of: text, place, error) else { throw error }
                guard let report = badElements.report else {
                    reader.end()
                    throw failure
                }
                report(failure)
            }
        }
        return nil
    }

    private func failure(of text: Data, _ place: ElementPlace, _ error: any Error) -> HeliumError? {
        guard let answer = reader.answer else { return nil }
        var failure = answer.error(
            .decodingFailed,
            "the element with index \(place.index), at \(place.location), can't be decoded as \(Element.self)"
        )
        failure[fact: \.decoding] = DecodingFailure(type: Element.self, error: error, redactor: answer.redactor)
        failure[fact: \.underlying] = error
        failure[fact: \.bodyExcerpt] = answer.excerpt(of: text)
        return failure
    }
}

extension RequestBuilder {
    /// Returns the elements of a JSON array in the response body, as they arrive.
    ///
    /// ```swift
    /// for try await show in helium.get("/shows", returning: Data.self).elements(of: Show.self, at: ["data"]) {
    ///     print(show.title)
    /// }
    /// ```
    ///
    /// Requests the media type of the client's decoder, which must be a JSON type, unless the request has an `Accept`
    /// field of its own. The media type of the response is ignored.
    ///
    /// - Parameters:
    ///   - type: The type of an element.
    ///   - path: The member names that lead to the array from the top of the document; empty if the document is the
    ///     array. If a name occurs twice in an object, the first member is used. Default: `nil`, the path to the value
    ///     in the call's envelope.
    ///   - options: The limits.
    ///   - badElements: The handling of elements that can't be decoded. Default: ``BadLinePolicy/fail``. Invalid JSON
    ///     always fails.
    public func elements<Element: Decodable & Sendable>(
        of type: Element.Type = Element.self,
        at path: [String]? = nil,
        _ options: ElementOptions = ElementOptions(),
        badElements: BadLinePolicy = .fail
    ) -> ArrayElements<Element> {
        let decoder = bodyDecoder
        let builder = fieldByDefault(.accept, decoder.mediaType)
        let envelope = draft.settings.envelope ?? pipeline.options.envelope
        return ArrayElements(
            at: path ?? envelope.valuePath,
            options,
            badElements: badElements,
            decoder: decoder
        ) {
            try await builder.openStream()
        }
    }
}
