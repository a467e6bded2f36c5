internal import HeliumConcurrency
internal import HeliumCurl
internal import Synchronization

/// The transport of all connections that belong to no client. It exists, with its thread, while one of them does.
enum SharedTransport {
    private struct Reference: Sendable { weak let transport: CurlTransport? }

    private static let current = Guarded(Reference(transport: nil))

    /// Returns the transport, which lives as long as the caller keeps it.
    static func get() -> CurlTransport {
        current.withLock { current in
            if let transport = current.transport { return transport }
            let transport = CurlTransport()
            current = Reference(transport: transport)
            return transport
        }
    }
}
