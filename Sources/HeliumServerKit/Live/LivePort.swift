/// A separate port of a protocol, for live clients that use plain TCP and a codec.
package struct LivePort: Sendable {
    /// The port number. 0 selects a free port.
    let number: Int
    let codec: @Sendable () -> any LiveCodec
    let session: any LiveSession

    package init(number: Int, codec: @escaping @Sendable () -> any LiveCodec, session: any LiveSession) {
        self.number = number
        self.codec = codec
        self.session = session
    }
}

/// The limits of a ``LiveServer``.
package struct LiveMaxima: Sendable {
    /// The maximum number of open authenticated connections.
    let connections: Int
    /// The maximum number of open connections that are not authenticated.
    let unauthenticatedConnections: Int
    /// The maximum number of bytes that are queued for a slow client.
    let queueBytes: Int
    /// The maximum size in bytes of an object that a client sends.
    let objectBytes: Int
    /// The maximum time from accepting a connection to its authentication; `nil` means ``ServerLimits/firstRequest``.
    let authentication: Duration?

    package init(
        connections: Int,
        unauthenticatedConnections: Int,
        queueBytes: Int,
        objectBytes: Int,
        authentication: Duration? = nil
    ) {
        self.connections = connections
        self.authentication = authentication
        self.unauthenticatedConnections = unauthenticatedConnections
        self.queueBytes = queueBytes
        self.objectBytes = objectBytes
    }
}
