import HTTPTypes
package import HeliumCore

/// The user of a channel. All methods are called on the loop's thread, and must not block.
///
/// A handler belongs to its channel before the connection begins, so it gets the peer's first bytes. Every method may
/// write to the channel, pause and end it.
package protocol ChannelHandler: AnyObject {
    /// Called when the connection is open, before any other bytes are read.
    func channelOpened(_ channel: ByteChannel)

    /// Called with bytes that have arrived. They are valid during the call only.
    func channel(_ channel: ByteChannel, received bytes: RawSpan)

    /// Called after the bytes of one turn, and before the peer's end.
    func channelReceived(_ channel: ByteChannel)

    /// Called once when the peer has ended its direction. The channel stays open, so that it can still be written to
    /// (RFC 9293 §3.6), until the handler ends it.
    ///
    /// - Parameter isOrderly: Whether the peer has said so where its protocol can: under TLS by close_notify. Without it,
    ///   bytes may be missing (RFC 8446 §6.1).
    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool)

    /// Called when the system has accepted a part of the output that it had not accepted at once, and more is left. It does
    /// nothing unless a handler needs it.
    func channelAdvanced(_ channel: ByteChannel)

    /// Called when the system has accepted all that was written, if it had not done so at once.
    func channelDrained(_ channel: ByteChannel)

    /// Called on the loop's thread after ``ByteChannel/signal(_:)``, once for several calls.
    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals)

    /// Called once, when the channel has ended for any reason, also before it was open. Nothing is called after it.
    func channel(_ channel: ByteChannel, ended end: ChannelEnd)
}

extension ChannelHandler {
    package func channelAdvanced(_ channel: ByteChannel) {}
}

/// The requests of other threads to a handler, which defines their meaning.
package struct ChannelSignals: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to write.
    package static let write = Self(rawValue: 1)
    /// Reading may continue.
    package static let read = Self(rawValue: 2)
    /// A time limit of the handler has expired.
    package static let time = Self(rawValue: 4)
    /// The channel is to be ended at once.
    package static let end = Self(rawValue: 8)
}

/// The end of a channel.
package enum ChannelEnd: Sendable {
    /// This side has ended it.
    case closed
    /// It could not be opened, or it was lost. The delivery state is `notSent` if no byte was written.
    case failed(TransportFailure)
}

/// The facts of an open channel.
package struct ChannelFacts: Sendable {
    /// The protocol that the peer chose by ALPN; `nil` if there is none.
    package internal(set) var applicationProtocol: String?
    /// The times of names, TCP and TLS.
    package internal(set) var timings = TransferTimings()

    init() {}
}
