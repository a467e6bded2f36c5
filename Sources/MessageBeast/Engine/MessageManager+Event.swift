public import AppNet
public import Foundation
internal import HeliumConcurrency
internal import Synchronization

extension MessageManager {
    /// An event of the engine. Events are sent after the transaction that they report.
    ///
    /// More cases will be added: a `switch` needs a `default`.
    public enum Event: Sendable, Hashable {
        /// A page of a full sync was stored.
        case syncProgress(SyncProgress)
        /// A full sync has read the oldest message of a channel.
        case syncFinished(AppNetChannel.ID)
        /// A ``ChannelSyncManager`` has found or created all of its channels.
        case channelsInitialized([AppNetChannel.ID])
        /// The geocoder has found the display locations of messages.
        case locationResolved([MessagePlus.ID])
        /// A message was sent. Its temporary id still finds it.
        case sent(AppNetChannel.ID, SentMessage)
        /// Nothing is left to send at the moment in a channel, after these messages.
        case drained(AppNetChannel.ID, [SentMessage])
        /// A message could not be sent. It is tried again at that time, or by an explicit call.
        case sendDeferred(AppNetChannel.ID, Date)
        /// An attempt to send a message, by its temporary id, has failed. It is tried again later, or the message is parked.
        case sendFailed(AppNetChannel.ID, Message.ID, reason: ParkedReason, attempts: Int)
        /// A message waits for a decision of the user. Others are sent.
        case parked(AppNetChannel.ID, Message.ID, reason: ParkedReason)
        /// A message was deleted on the service.
        case deleted(AppNetChannel.ID, Message.ID)
        /// The service refuses to delete a message. It is not tried again.
        case deletionParked(AppNetChannel.ID, Message.ID, reason: String)
        /// A part of a pending file was sent.
        case fileProgress(PendingFile.ID, sentBytes: Int64, totalBytes: Int64)
        /// A pending file is on the service. The messages that use it are sent when they have all their files.
        case fileUploaded(PendingFile.ID, File.ID)
        /// An attempt to upload a file has failed. It is tried again later, or the file is parked: ``PendingFile/state`` tells.
        case fileFailed(PendingFile.ID, reason: ParkedReason, attempts: Int)
        /// The service does not accept the token. Nothing is sent until an explicit call.
        case authenticationRequired
        /// Something is wrong that needs nobody's decision.
        case warning(Warning)
        /// The subscriber was too slow and has missed this many events.
        case lagged(Int)
    }

    /// A message that was sent.
    public struct SentMessage: Sendable, Hashable {
        /// The id before.
        public let temporaryID: Message.ID
        /// The id on the service.
        public let serverID: Message.ID
    }

    /// A problem that the engine could deal with.
    public enum Warning: Sendable, Hashable {
        /// A message of an action channel names no target. It was stored without an action.
        case actionWithoutTarget(Message.ID, in: AppNetChannel.ID)
        /// A message has the token of another one, and was not made by the network: an app has copied a message with its
        /// annotations. It was stored as an ordinary message.
        case changedCopy(Message.ID, in: AppNetChannel.ID)
        /// Several channels of the user match. The one with the lowest id is used, the others are ignored.
        case duplicateChannels(used: AppNetChannel.ID, ignored: [AppNetChannel.ID])
    }

    /// The events of one subscriber, from its subscription on.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event

        let stream: AsyncStream<EventBroadcast.Item>
        /// The number of the first event.
        let first: UInt64

        /// Iterates over the events. Ends when the engine is stopped.
        public func makeAsyncIterator() -> Iterator { Iterator(items: stream.makeAsyncIterator(), expected: first) }

        /// The iterator of ``Events``.
        public struct Iterator: AsyncIteratorProtocol {
            var items: AsyncStream<EventBroadcast.Item>.AsyncIterator
            var expected: UInt64
            var pending: Event?

            /// The next event; `nil` after the last one.
            public mutating func next() async -> Event? {
                if let event = pending.take() { return event }
                guard let item = await items.next() else { return nil }
                let missed = item.number - expected
                expected = item.number + 1
                guard missed > 0 else { return item.event }
                pending = item.event
                return .lagged(Int(clamping: missed))
            }
        }
    }
}

/// Sends events to all subscribers. A subscriber that does not keep up loses its oldest events.
final class EventBroadcast: Sendable {
    struct Item: Sendable {
        let event: MessageManager.Event
        /// The position among all events of the engine.
        let number: UInt64
    }

    private let broadcast: Broadcast<Item>
    private let count = Guarded<UInt64>(0)

    init(limit: Int) { broadcast = Broadcast(limit: limit) }

    /// The events from now on.
    var events: MessageManager.Events {
        count.withLock { MessageManager.Events(stream: broadcast.stream(), first: $0) }
    }

    func send(_ event: MessageManager.Event) {
        // Under the lock, so that the numbers arrive in their order.
        count.withLock { count in
            broadcast.send(Item(event: event, number: count))
            count += 1
        }
    }

    func finish() { broadcast.finish() }
}
