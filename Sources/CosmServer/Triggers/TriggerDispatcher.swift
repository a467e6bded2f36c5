internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Sends notifications: in order and one at a time for each trigger, several triggers at once, never more waiting than
/// its capacity, each within a deadline. One that fails is not sent again.
final class TriggerDispatcher: Sendable {
    /// The longest that one notification may take.
    static let deadline: Duration = .seconds(10)
    /// How many are sent at a time.
    static let maximumTransfers = 16

    private struct State {
        /// Waiting, in the order of firing.
        var waiting: [TriggerNotification] = []
        var underWay: Set<Int> = []
        var counts = Counts()
    }

    /// How notifications fared since the server started.
    struct Counts: Hashable, Sendable {
        var delivered = 0
        var failed = 0
        var dropped = 0
    }

    private let capacity: Int
    private let state = Guarded(State())
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init(capacity: Int) {
        self.capacity = capacity
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Has notifications sent; what does not fit is dropped and counted.
    func send(_ notifications: [TriggerNotification]) {
        if notifications.isEmpty { return }
        state.withLock { state in
            let room = max(0, capacity - state.waiting.count)
            state.waiting += notifications.prefix(room)
            state.counts.dropped += max(0, notifications.count - room)
        }
        waker.yield()
    }

    /// Sends until the task is cancelled, which ends transfers under way.
    func run(context: @escaping @Sendable (ServerInstant) -> RenderContext, logger: Logger) async {
        let transport = CurlTransport()
        await withDiscardingTaskGroup { group in
            for await _ in wakes {
                for notification in takeReady() {
                    group.addTask { [self] in
                        let isDelivered = await deliver(notification, context(notification.at), transport, logger)
                        state.withLock { state in
                            state.underWay.remove(notification.trigger.id)
                            if isDelivered { state.counts.delivered += 1 } else { state.counts.failed += 1 }
                        }
                        waker.yield()
                    }
                }
            }
            group.cancelAll()
        }
        await transport.shutdown()
    }

    /// Takes what may be sent now: of each trigger that is not busy the first.
    private func takeReady() -> [TriggerNotification] {
        state.withLock { state in
            var taken: [TriggerNotification] = []
            var rest: [TriggerNotification] = []
            for notification in state.waiting {
                if state.underWay.count < Self.maximumTransfers,
                    state.underWay.insert(notification.trigger.id).inserted
                {
                    taken.append(notification)
                } else {
                    rest.append(notification)
                }
            }
            state.waiting = rest
            return taken
        }
    }

    private func deliver(
        _ notification: TriggerNotification,
        _ context: RenderContext,
        _ transport: CurlTransport,
        _ logger: Logger
    ) async -> Bool {
        guard let url = TriggerNotification.target(notification.trigger.url) else { return false }
        var request = TransportRequest(method: .post, url: url)
        request.fields[.contentType] = "application/x-www-form-urlencoded"
        request.fields[.userAgent] = "Helium"
        request.body = Data(notification.form(context).utf8)
        request.timeouts.total = Self.deadline
        // What a receiver answers matters to nobody; a little of it is read so that its connection can be kept.
        request.responseBody = .collect(upTo: 64 * 1024)
        do {
            let response = try await transport.execute(request)
            return 200...299 ~= response.head.status
        } catch {
            logger.debug(
                "A trigger's notification was not delivered",
                metadata: ["trigger": "\(notification.trigger.id)", "error": "\(error.kind)"]
            )
            return false
        }
    }
}
