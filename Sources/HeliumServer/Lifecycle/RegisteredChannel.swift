internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Hummingbird's set-up of a connection, with the connection noted in a ``ConnectionRegistry`` from its first moment,
/// before any TLS handshake.
struct RegisteredChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let registry: ConnectionRegistry

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try registry.opened(channel)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
