/// A port of a protocol's own, for live clients that speak plain TCP in a codec's form.
package struct LivePort: Sendable {
    /// The port's number; 0 takes a free one.
    let number: Int
    let codec: @Sendable () -> any LiveCodec
    let session: any LiveSession

    package init(number: Int, codec: @escaping @Sendable () -> any LiveCodec, session: any LiveSession) {
        self.number = number
        self.codec = codec
        self.session = session
    }
}

/// Ceilings of a ``LiveServer``.
package struct LiveMaxima: Sendable {
    /// The number of open connections that have proved who they are.
    let connections: Int
    /// The number of open connections that have not.
    let unauthenticatedConnections: Int
    /// The bytes that may wait for a slow client.
    let queueBytes: Int
    /// The longest object that a client may send, in bytes.
    let objectBytes: Int
    /// The longest from accepting a connection to its authentication; `nil`: ``ServerLimits/firstRequest``.
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
