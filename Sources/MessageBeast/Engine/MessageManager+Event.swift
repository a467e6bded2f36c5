public import AppNet
public import Foundation
internal import HeliumConcurrency
public import HeliumCore
internal import Synchronization

extension MessageManager {
    /// An event of the engine. Events are sent after the transaction that they report has been committed.
    ///
    /// More cases will be added, so a `switch` needs a `default`.
    public enum Event: Sendable, Hashable {
        /// A page of a full sync was stored.
        case syncProgress(SyncProgress)
        /// A full sync reached the oldest message of a channel.
        case syncFinished(AppNetChannel.ID)
        /// A ``ChannelSyncManager`` found or created all of its channels.
        case channelsInitialized([AppNetChannel.ID])
        /// The geocoder found the display locations of messages.
        case locationResolved([MessagePlus.ID])
        /// A message was sent. Its temporary id still identifies it.
        case sent(AppNetChannel.ID, SentMessage)
        /// A channel has nothing left to send at the moment. The value lists the messages sent since the last such
        /// event.
        case drained(AppNetChannel.ID, [SentMessage])
        /// A message could not be sent. It is retried at the given time or by an explicit call. ``sendFailed(_:_:reason:attempts:)``
        /// precedes this event and names the message.
        case sendDeferred(AppNetChannel.ID, Date)
        /// An attempt to send the message with this temporary id failed. It is retried later, or the message is parked.
        ///
        /// `attempts` is the number of attempts that count for ``MessageManager/Options/maximumSendAttempts``. A request
        /// that did not leave the machine, and one for which the service asks to wait, does not count.
        case sendFailed(AppNetChannel.ID, Message.ID, reason: ParkedReason, attempts: Int)
        /// A message waits for a decision of the user. Other messages are sent.
        case parked(AppNetChannel.ID, Message.ID, reason: ParkedReason)
        /// A message was deleted on the service.
        case deleted(AppNetChannel.ID, Message.ID)
        /// The service refused to delete a message, or failed too often. The deletion waits for the user; see
        /// ``MessageManager/parkedDeletions()``.
        case deletionParked(AppNetChannel.ID, Message.ID, reason: String)
        /// The service refused to delete a file, or failed too often. The deletion waits for the user; see
        /// ``MessageManager/parkedFileDeletions()``.
        case fileDeletionParked(File.ID, reason: String)
        /// A part of a pending file was sent.
        case fileProgress(PendingFile.ID, sentBytes: Int64, totalBytes: Int64)
        /// A pending file is on the service. The messages that use it are sent when they have all their files.
        case fileUploaded(PendingFile.ID, File.ID)
        /// An attempt to upload a file failed. It is retried later, or the file is parked; see ``PendingFile/state``.
        case fileFailed(PendingFile.ID, reason: ParkedReason, attempts: Int)
        /// A step of the upgrade of an older store was stored (``MessageManager/start()``).
        case storeUpgrading(UpgradeProgress)
        /// The service rejected the token. Nothing is sent until an explicit call.
        case authenticationRequired
        /// A problem occurred that needs no decision.
        case warning(Warning)
        /// The subscriber was too slow and missed this many events.
        case lagged(Int)
    }

    /// A message that was sent.
    public struct SentMessage: Sendable, Hashable {
        /// The temporary id before sending.
        public let temporaryID: Message.ID
        /// The id on the service.
        public let serverID: Message.ID
    }

    /// A problem that the engine handled.
    public enum Warning: Sendable, Hashable {
        /// A message of an action channel names no target. It was stored without an action.
        case actionWithoutTarget(Message.ID, in: AppNetChannel.ID)
        /// A message has the token of another one but is not a network duplicate: an app copied a message with its
        /// annotations. It was stored as an ordinary message.
        case changedCopy(Message.ID, in: AppNetChannel.ID)
        /// Messages of a page could not be decoded, or could not be used because they have no id or are of another
        /// channel. They are not stored, and the fetch continued with the messages after them. `refresh(_:in:)` stores
        /// one that has become readable. The warning is also sent for messages of a refresh by ids, and for actions of
        /// another device.
        case unreadable(UnreadableItems, in: AppNetChannel.ID)
        /// Several channels of the user match. The channel with the lowest id is used; the others are ignored.
        case duplicateChannels(used: AppNetChannel.ID, ignored: [AppNetChannel.ID])
    }

    /// The events for one subscriber, from its subscription on.
    public struct Events: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Event

        let stream: AsyncStream<EventBroadcast.Item>
        /// The number of the first event.
        let first: UInt64

        /// Returns an iterator over the events. It ends when the engine is stopped.
        public func makeAsyncIterator() -> Iterator { Iterator(items: stream.makeAsyncIterator(), expected: first) }

        /// The iterator of ``Events``.
        public struct Iterator: AsyncIteratorProtocol {
            var items: AsyncStream<EventBroadcast.Item>.AsyncIterator
            var expected: UInt64
            var pending: Event?

            /// Returns the next event; `nil` after the last one.
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

/// Sends events to all subscribers. A subscriber that is too slow loses its oldest events.
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
        // Enqueued under the lock, so that the numbers arrive in order. Subscribers are resumed outside of it.
        count.withLock { count in
            broadcast.enqueue(Item(event: event, number: count))
            count += 1
        }
        broadcast.deliver()
    }

    func finish() { broadcast.finish() }
}
