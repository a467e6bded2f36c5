internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// Hummingbird's set-up of a connection, with the connection noted in a ``ConnectionRegistry`` from its first moment,
/// before any TLS handshake.
///
/// The set-up waits until the connection is served: a `NIOAsyncChannel` that is dropped before, because the listener closes,
/// would trap (swift-nio issue 2813).
struct RegisteredChannel<Base: ServerChildChannel>: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
    }

    let base: Base
    let registry: ConnectionRegistry

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try registry.opened(channel)
            try channel.syncOptions?.setOption(.autoRead, value: false)
            return Value(channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        let ready = channel.eventLoop.flatSubmit { base.setup(channel: channel, logger: logger) }
        do {
            let value = try await ready.flatMapThrowing { value in
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return value
            }
            .get()
            await base.handle(value: value, logger: logger)
        } catch {
            channel.close(promise: nil)
        }
    }
}
