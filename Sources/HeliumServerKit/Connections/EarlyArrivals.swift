package import NIOCore

/// Keeps what arrives on a connection before its handlers are added, and passes it to them when it is removed.
///
/// A channel that does not read (`autoRead` is off) still reads everything when its peer ends its side: NIO then reads to
/// the end at once. Without this handler, the request of a client that sends it and ends its side would be lost if that
/// happens before the connection is served.
///
/// A peer can make it keep what the system has buffered for the connection, and no more, because the channel does not read
/// before its end.
///
/// The handler is confined to the channel's event loop.
package final class EarlyArrivals: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = NIOAny

    private enum Arrival {
        case data(NIOAny)
        case dataComplete
        case event(Any)
        case error(any Error)
    }

    private var arrivals: [Arrival] = []

    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) { arrivals.append(.data(data)) }

    package func channelReadComplete(context: ChannelHandlerContext) { arrivals.append(.dataComplete) }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        arrivals.append(.event(event))
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { arrivals.append(.error(error)) }

    package func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for arrival in arrivals {
            switch arrival {
            case .data(let data): context.fireChannelRead(data)
            case .dataComplete: context.fireChannelReadComplete()
            case .event(let event): context.fireUserInboundEventTriggered(event)
            case .error(let error): context.fireErrorCaught(error)
            }
        }
        arrivals = []
        context.leavePipeline(removalToken: removalToken)
    }
}

extension EarlyArrivals {
    /// Stops a channel from reading, and keeps what arrives all the same. Call it on the channel's event loop when the
    /// connection is accepted.
    package static func begin(on channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(EarlyArrivals())
        try channel.syncOptions?.setOption(.autoRead, value: false)
    }

    /// Passes what has arrived to the handlers, which are all there now, and starts reading. Call it on the channel's event
    /// loop. Does nothing if the connection has ended.
    package static func end(on channel: any Channel) {
        let pipeline = channel.pipeline.syncOperations
        if let context = try? pipeline.context(handlerType: EarlyArrivals.self) {
            pipeline.removeHandler(context: context, promise: nil)
        }
        // It throws if a handler has closed the channel, which has nothing to read then. The caller may hold a
        // `NIOAsyncChannel` by now, and must not drop it on an error.
        try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
}
