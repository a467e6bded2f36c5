public import HeliumEssentials
internal import Synchronization

extension BodyStream {
    /// Creates a stream of bytes in memory: one chunk, or none.
    public init(_ data: Data) { self.init(source: ReadyBody(data)) }
}

private final class ReadyBody: BodyStreamSource {
    private let data: Guarded<Data?>

    init(_ data: Data) { self.data = Guarded(data.isEmpty ? nil : data) }

    func next() async throws(TransportFailure) -> Data? {
        data.withLock { data in
            defer { data = nil }
            return data
        }
    }

    func cancel() { data.withLock { $0 = nil } }
}
