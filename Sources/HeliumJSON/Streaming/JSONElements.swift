public import HeliumEssentials

/// The elements of an array in a JSON document that arrives in chunks, each as soon as its last byte has arrived.
///
/// ```swift
/// for try await show in HeliumJSONDecoder().elements(of: Show.self, at: ["data"], in: chunks) {
///     print(show.title)
/// }
/// ```
///
/// The chunks may be split anywhere. Only the chunks that the next element needs are requested, and only the current
/// chunk and the incomplete element are held in memory. The whole document is validated, including the parts around the
/// array. The sequence ends when the document is complete, and fails if the document breaks off or more text follows
/// it.
///
/// Leaving the loop, an error and the end release the chunks. An error does not affect elements that were delivered
/// before it.
public struct JSONElements<Element: Decodable, Base: AsyncSequence>: AsyncSequence
where Base.Element: ContiguousBytes {
    let base: Base
    let path: [String]
    let decoder: HeliumJSONDecoder
    let maximumElementBytes: Int
    let badElements: BadElementPolicy

    /// Creates an iterator, which begins an iteration of the chunks.
    public func makeAsyncIterator() -> Iterator {
        let splitter = ElementSplitter(
            path: path,
            maximumDepth: decoder.limits.maximumDepth,
            maximumElementBytes: maximumElementBytes
        )
        return Iterator(
            chunks: base.makeAsyncIterator(),
            splitter: splitter,
            decoder: decoder,
            badElements: badElements
        )
    }

    /// Iterates over the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: Base.AsyncIterator?
        fileprivate var chunk: Base.Element?
        /// The number of bytes of the chunk that were read.
        fileprivate var taken = 0
        fileprivate var splitter: ElementSplitter
        fileprivate let decoder: HeliumJSONDecoder
        fileprivate let badElements: BadElementPolicy
    }
}

extension JSONElements: Sendable where Base: Sendable, Element: SendableMetatype {}

extension HeliumJSONDecoder {
    /// Returns the elements of an array in a document that arrives in chunks, decoded as they arrive.
    ///
    /// The decoder's ``limits`` apply to each element, and ``JSONLimits/maximumDepth`` also to the whole document. If a
    /// name occurs twice on the path to the array, the first member is used, whatever the limits are.
    ///
    /// - Parameters:
    ///   - type: The type of an element.
    ///   - path: The member names that lead to the array from the top, compared scalar by scalar. Default: empty, the
    ///     document is the array.
    ///   - chunks: The bytes of the document: `Data`, `[UInt8]` or other contiguous bytes.
    ///   - maximumElementBytes: The maximum number of bytes of one element. A larger element is an error. Default: 4
    ///     MiB, thousands of times the usual size, and small enough to hold for many documents at a time.
    ///   - badElements: The handling of an element that can't be decoded. Default: ``BadElementPolicy/fail``.
    /// - Returns: A sequence that throws once: `DecodingError` like decoding the whole document, with the element's
    ///   index in the coding path and the position in the document in the ``JSONError``; `keyNotFound` if there is no
    ///   array at the path, and `valueNotFound` if the value there is `null`; the error of the type itself; the error
    ///   of the chunks; `CancellationError`.
    public func elements<Element: Decodable, Chunks: AsyncSequence>(
        of type: Element.Type = Element.self,
        at path: [String] = [],
        in chunks: Chunks,
        maximumElementBytes: Int = 4 << 20,
        badElements: BadElementPolicy = .fail
    ) -> JSONElements<Element, Chunks> where Chunks.Element: ContiguousBytes {
        JSONElements(
            base: chunks,
            path: path,
            decoder: self,
            maximumElementBytes: maximumElementBytes,
            badElements: badElements
        )
    }
}

// MARK: Iterating

extension JSONElements.Iterator {
    /// Returns the next element, or `nil` after the last, once the document has ended.
    ///
    /// - Throws: An error, once, after which the sequence has ended.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Element? {
        guard chunks != nil else { return nil }
        do {
            while true {
                try Task.checkCancellation()
                if let element = try takeElement() { return element }
                chunk = try await chunks?.next(isolation: actor)
                taken = 0
                if chunk == nil { break }
            }
            // The chunks of a cancelled task may end without an error.
            try Task.checkCancellation()
            try splitter.finish()
            end()
            return nil
        } catch {
            end()
            throw (error as? ElementFault)?.decodingError ?? error
        }
    }

    private mutating func end() {
        chunks = nil
        chunk = nil
        splitter = ElementSplitter(path: [], maximumDepth: 0, maximumElementBytes: 0)
    }

    /// Returns the next element of the current chunk, or `nil` if it is incomplete.
    private mutating func takeElement() throws -> Element? {
        guard let chunk else { return nil }
        return try chunk.withUnsafeBytes { bytes in
            var rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            defer { taken = bytes.count - rest.count }
            var element: Element?
            var failure: (any Error)?
            let path = splitter.path
            while try splitter.next(
                in: &rest,
                { [decoder] text, place in
                    do {
                        element = try decoder.decode(Element.self, from: text)
                    } catch {
                        failure = (error as? DecodingError)?.inStream(at: path, place) ?? error
                    }
                }
            ) {
                guard let error = failure else { return element }
                guard let report = badElements.report else { throw error }
                report(error)
                failure = nil
            }
            return nil
        }
    }
}
