internal import HeliumCore
internal import HeliumCurl

/// The user of a channel until it is connected, for protocols without a request.
///
/// It belongs to the loop's thread.
final class ConnectHandler: ChannelHandler {
    private let attempt: DialAttempt
    private let failures: FailureMaker
    private let next: any ChannelHandler

    /// Creates a handler.
    ///
    /// - Parameter next: The user of the connected channel.
    init(_ next: any ChannelHandler, attempt: DialAttempt, failures: FailureMaker) {
        self.next = next
        self.attempt = attempt
        self.failures = failures
    }

    func channelOpened(_ channel: ByteChannel) {
        channel.handOver(to: next)
        next.channelOpened(channel)
        attempt.succeed()
    }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        if signals.contains(.end) { channel.abort() }
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        switch end {
        case .closed: attempt.fail(CancellationError())
        case .failed(let failure): attempt.fail(failures.failure(connecting: failure))
        }
    }

    // A channel that is not open has none of these events.
    func channel(_ channel: ByteChannel, received bytes: RawSpan) {}
    func channelReceived(_ channel: ByteChannel) {}
    func channelDrained(_ channel: ByteChannel) {}
    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {}
}
