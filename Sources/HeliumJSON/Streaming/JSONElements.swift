public import HeliumEssentials

/// The elements of an array in a JSON document that comes piece by piece, each as soon as its last byte is there.
///
/// ```swift
/// for try await show in HeliumJSONDecoder().elements(of: Show.self, at: ["data"], in: chunks) {
///     print(show.title)
/// }
/// ```
///
/// The chunks may be cut anywhere. Nothing is asked of them beyond what the next element takes, and nothing kept but the
/// chunk at hand and the unfinished element. The whole document is checked, what stands around the array too: the end comes
/// when the document is whole, an error when something follows it or it breaks off.
///
/// Leaving the loop, an error and the end let go of the chunks. What was delivered before an error stays delivered.
public struct JSONElements<Element: Decodable, Base: AsyncSequence>: AsyncSequence
where Base.Element: ContiguousBytes {
    let base: Base
    let path: [String]
    let decoder: HeliumJSONDecoder
    let maximumElementBytes: Int
    let badElements: BadElementPolicy

    /// An iterator, which begins an iteration of the chunks.
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

    /// Takes the elements one by one.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: Base.AsyncIterator?
        fileprivate var chunk: Base.Element?
        /// How many bytes of the chunk were read.
        fileprivate var taken = 0
        fileprivate var splitter: ElementSplitter
        fileprivate let decoder: HeliumJSONDecoder
        fileprivate let badElements: BadElementPolicy
    }
}

extension JSONElements: Sendable where Base: Sendable, Element: SendableMetatype {}

extension HeliumJSONDecoder {
    /// The elements of an array in a document that comes piece by piece, decoded as they come.
    ///
    /// The decoder's ``limits`` hold for each element, ``JSONLimits/maximumDepth`` for the whole document too. Of members
    /// with one name on the way to the array the first counts, whatever the limits say.
    ///
    /// - Parameters:
    ///   - type: What an element is.
    ///   - path: The names of the members to the array, from the top, compared scalar by scalar. Default: none, the document
    ///     is the array.
    ///   - chunks: The document's bytes: `Data`, `[UInt8]` or others that lie in one piece.
    ///   - maximumElementBytes: The most bytes of one element, an error beyond. Default: 4 MiB, thousands of times what an
    ///     element mostly has, and little enough to hold for many documents at a time.
    ///   - badElements: What becomes of an element that does not decode. Default: ``BadElementPolicy/fail``.
    /// - Returns: A sequence that throws, once: `DecodingError` as decoding the whole document would, with the element's
    ///   number in the coding path and the place in the document in the ``JSONError``, `keyNotFound` where there is no array
    ///   at the path, `valueNotFound` where `null` stands there; what the type itself throws; what the chunks throw;
    ///   `CancellationError`.
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
    /// The next element, or `nil` after the last, once the document has ended.
    ///
    /// - Throws: Once, then the sequence is over.
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
            // Chunks of a cancelled task may just end.
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

    /// The next element of the chunk at hand.
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
