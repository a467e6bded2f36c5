package import HeliumEssentials
internal import Synchronization

extension UploadBody {
    /// Creates a body from bytes in memory. They are passed on in chunks, so that their progress can be reported.
    package init(_ data: Data) {
        self.init(length: Int64(data.count), isReplayable: true) { DataSource(data) }
    }
}

private final class DataSource: UploadSource {
    private static let chunkBytes = 64 << 10

    private let rest: Guarded<Data>

    init(_ data: Data) { rest = Guarded(data) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            let chunk = rest.prefix(Self.chunkBytes)
            rest = rest.dropFirst(chunk.count)
            return chunk.isEmpty ? nil : chunk
        }
    }

    func cancel() { rest.withLock { $0 = Data() } }
}
