import HummingbirdCore
import Logging
import NIOCore

/// Adds the handlers of a connection when it is served. Hummingbird adds them when it is accepted.
///
/// Hummingbird's handlers end in a `NIOAsyncChannel`, which traps if it is dropped before its work begins. A listener that
/// closes drops the connections that it accepts in that moment (swift-nio issue 2813), and an HTTP/2 connection whose
/// task was cancelled drops the streams that begin after that.
struct LateSetup<Work: ServerChildChannel>: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        fileprivate let connection: Accepted

        var channel: any Channel { connection.channel }
    }

    private let work: Work

    init(_ work: Work) { self.work = work }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // Nothing may arrive before the handlers are there.
            try channel.syncOptions?.setOption(.autoRead, value: false)
            return Value(connection: Accepted(channel))
        }
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        // The work is not cancelled, but ends with its connection, after which no stream of it begins.
        let serving = Task {
            do {
                await work.handle(value: try await begin(channel, logger).get(), logger: logger)
            } catch {
                // The client has already closed the connection.
            }
        }
        await withTaskCancellationHandler {
            await serving.value
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func begin(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Work.Value> {
        channel.eventLoop.flatSubmit { [work] in
            let value = work.setup(channel: channel, logger: logger)
            // It throws if the channel is closed, which has nothing to read then.
            try? channel.syncOptions?.setOption(.autoRead, value: true)
            return value
        }
    }
}

/// A connection that is closed when it was served, or when its listener has dropped it.
private final class Accepted: Sendable {
    let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    deinit { channel.close(promise: nil) }
}
