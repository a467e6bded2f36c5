internal import HeliumConcurrency
package import HeliumCurl
internal import Synchronization

/// The transports of connections that belong to no client: one for each configuration. A transport exists, with its thread,
/// while one of its connections does.
package enum SharedTransport {
    private struct Reference: Sendable { weak let transport: CurlTransport? }

    private static let current = Guarded<[CurlTransport.Configuration: Reference]>([:])

    /// Returns the transport of a configuration, which lives as long as the caller keeps it.
    package static func get(_ configuration: CurlTransport.Configuration = .init()) -> CurlTransport {
        current.withLock { current in
            if let transport = current[configuration]?.transport { return transport }
            let transport = CurlTransport(configuration)
            current = current.filter { $0.value.transport != nil }
            current[configuration] = Reference(transport: transport)
            return transport
        }
    }
}
