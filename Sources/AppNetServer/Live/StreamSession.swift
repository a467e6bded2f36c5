internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// A user stream or an app stream over a WebSocket (Docs/Protocols/AppNet.md §2.14, §6.2). Data from the client is
/// discarded.
final class StreamSession: LiveSession {
    typealias Disconnection = @Sendable () -> Void

    private let number: Int
    private let connect: @Sendable (SocketSink) throws -> Disconnection
    private let disconnection = Guarded<Disconnection?>(nil)

    /// - Parameters:
    ///   - number: The place of the handshake in the order of all requests for streams.
    ///   - connect: Connects a sink to the stream, and returns a closure that disconnects it.
    init(number: Int, connect: @escaping @Sendable (SocketSink) throws -> Disconnection) {
        self.number = number
        self.connect = connect
    }

    func opened(on client: LiveConnection) {
        do {
            let made = try connect(SocketSink(client, number: number))
            disconnection.withLock { $0 = made }
        } catch {
            // The limit was reached by another connection after the handshake.
            client.closeGracefully()
        }
    }

    func received(_ bytes: [UInt8], on client: LiveConnection) {}

    func broken(_ reason: String, on client: LiveConnection) {}

    func closed(_ client: LiveConnection) { disconnection.withLock { $0.take() }?() }
}
