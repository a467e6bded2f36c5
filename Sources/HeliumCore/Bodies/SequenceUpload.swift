package import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// A body whose chunks come from an asynchronous sequence.
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

/// Asks a sequence for its chunks.
///
/// `@unchecked Sendable`: the iterator is touched by ``next()`` alone, which a source's one reader calls again only after
/// the call before has returned.
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

    /// A reader that waits is the sequence's own to wake: the task in which it waits is cancelled too.
    func cancel() {}
}
