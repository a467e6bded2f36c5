internal import HeliumConcurrency
package import HeliumCore
internal import Synchronization

/// Sockets without a network. Each connection is passed to a closure that acts as the server.
package struct LoopbackTransport: JetstreamTransport {
    private let serve: @Sendable (LoopbackSocket, String?) async throws -> Void

    /// Creates a transport.
    ///
    /// - Parameter accept: Takes the server's end of a new connection and the token with which it was opened. If it
    ///   throws, the connection attempt fails with that error.
    package init(_ accept: @escaping @Sendable (LoopbackSocket, String?) async throws -> Void) { serve = accept }

    package func connect(token: Secret?) async throws -> any JetstreamSocket {
        let (client, server) = LoopbackSocket.pair()
        try await serve(server, token?.value)
        return client
    }
}

/// One end of a connection in memory.
package final class LoopbackSocket: JetstreamSocket {
    private let incoming: BoundedQueue<String>
    private let outgoing: BoundedQueue<String>
    private let closing: FirstClosure

    private init(
        incoming: BoundedQueue<String>,
        outgoing: BoundedQueue<String>,
        closing: FirstClosure
    ) {
        self.incoming = incoming
        self.outgoing = outgoing
        self.closing = closing
    }

    package static func pair() -> (LoopbackSocket, LoopbackSocket) {
        let (toServer, toClient) = (BoundedQueue<String>(limit: 1024), BoundedQueue<String>(limit: 1024))
        let closing = FirstClosure()
        return (
            LoopbackSocket(incoming: toClient, outgoing: toServer, closing: closing),
            LoopbackSocket(incoming: toServer, outgoing: toClient, closing: closing)
        )
    }

    package func send(_ frame: String) async throws { try await outgoing.send(frame) }

    package func receive() async throws -> String? { try await incoming.next() }

    package func close() async { close(JetstreamClosure(code: 1000)) }

    /// Closes both ends. Frames in transit still arrive.
    package func close(_ closure: JetstreamClosure) {
        closing.set(closure)
        incoming.finish()
        outgoing.finish()
    }

    package var closure: JetstreamClosure? { closing.value }
}

/// The closure shared by both ends: the first one that either end sets.
private final class FirstClosure: Sendable {
    private let closure = Guarded<JetstreamClosure?>(nil)

    var value: JetstreamClosure? { closure.withLock { $0 } }

    func set(_ value: JetstreamClosure) { closure.withLock { $0 = $0 ?? value } }
}
