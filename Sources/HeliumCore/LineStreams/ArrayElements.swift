internal import HTTPTypes
internal import HeliumEssentials

/// The elements of a JSON array in an answer's body, each as soon as it is there.
///
/// The body may be of any length: what is held of it is one element. Each is decoded by the client's
/// ``ClientOptions/decoder``. The whole document is checked, what stands around the array too: it has to be JSON
/// (RFC 8259), whole, and followed by nothing. The request is sent when the first element is asked for, by each iterator
/// anew.
///
/// Nothing is read ahead of the consumer beyond the transport's buffer. Leaving the loop or cancelling the task ends
/// the transfer. What was delivered before a failure stays delivered.
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

    /// An iterator, which sends the request when it is first asked.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            reader: ElementReader(at: path, options, open: open),
            path: path,
            badElements: badElements,
            decoder: decoder
        )
    }

    /// Takes the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: ElementReader
        fileprivate let path: [String]
        fileprivate let badElements: BadLinePolicy
        fileprivate let decoder: any BodyDecoder
    }
}

extension ArrayElements.Iterator {
    /// The next element, or `nil` after the last, once the body has ended.
    ///
    /// - Throws: ``HeliumError``, once, then the sequence is over: ``FailureKind/decodingFailed`` for what is no JSON,
    ///   no array (`null` included) or no element of the type, with its index in the ``DecodingFailure/codingPath`` and
    ///   the line and column in the reason; ``FailureKind/emptyResponse`` where there is nothing at the path.
    ///   `CancellationError` if the task was cancelled.
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
            "the element with index \(place.index), at \(place.location), is no \(Element.self)"
        )
        failure[fact: \.decoding] = DecodingFailure(type: Element.self, error: error, redactor: answer.redactor)
        failure[fact: \.underlying] = error
        failure[fact: \.bodyExcerpt] = answer.excerpt(of: text)
        return failure
    }
}

extension RequestBuilder {
    /// The elements of a JSON array in the answer's body, as they arrive.
    ///
    /// ```swift
    /// for try await show in helium.get("/shows", returning: Data.self).elements(of: Show.self, at: ["data"]) {
    ///     print(show.title)
    /// }
    /// ```
    ///
    /// Asks for the media type of the client's decoder, which has to be one of JSON, unless the request has an `Accept`
    /// of its own; the answer's media type has no say.
    ///
    /// - Parameters:
    ///   - type: What an element is.
    ///   - path: The names of the members to the array, from the top of the document; none: the document is the array.
    ///     Of members with one name the first counts. Default: `nil`, where the call's envelope has the value.
    ///   - options: Ceilings.
    ///   - badElements: What becomes of an element that does not decode. Default: ``BadLinePolicy/fail``. What is no JSON
    ///     fails in any case.
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
