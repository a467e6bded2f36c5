package import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// Creates a body whose chunks come from an asynchronous sequence.
    package init<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64?,
        isReplayable: Bool,
        makeChunks: @escaping @Sendable () async throws -> Chunks
    ) where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        let isUsed = Guarded(false)
        self.init(length: length, isReplayable: isReplayable) {
            let wasUsed = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return isUsed
            }
            guard isReplayable || !wasUsed else {
                throw UploadFailure("the body's stream can be read only once")
            }
            return SequenceSource(iterator: try await makeChunks().makeAsyncIterator())
        }
    }
}

/// Reads the chunks of a sequence.
///
/// `@unchecked Sendable`: only ``next()`` uses the iterator, and a source's single reader calls it again only after the
/// previous call has returned.
private final class SequenceSource<Iterator: AsyncIteratorProtocol & SendableMetatype>: UploadSource,
    @unchecked Sendable
where Iterator.Element == Data {
    private var iterator: Iterator

    init(iterator: Iterator) { self.iterator = iterator }

    func next() async throws -> Data? {
        while let chunk = try await iterator.next() {
            if !chunk.isEmpty { return chunk }
            try Task.checkCancellation()
        }
        return nil
    }

    /// Does nothing. The task in which a reader waits is cancelled too, which ends the sequence's own wait.
    func cancel() {}
}
