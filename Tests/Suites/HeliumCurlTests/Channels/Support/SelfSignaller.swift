import HeliumConcurrency

@testable import HeliumCurl

/// A user that always has something to do.
final class SelfSignaller: ChannelHandler, Sendable {
    let began = Signal<Void>()
    let ended = Signal<Void>()

    func channelOpened(_ channel: ByteChannel) { channel.signal(.write) }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        began.settle()
        channel.signal(.write)
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) { ended.settle() }

    func channel(_ channel: ByteChannel, received bytes: RawSpan) {}
    func channelReceived(_ channel: ByteChannel) {}
    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {}
    func channelDrained(_ channel: ByteChannel) {}
}
