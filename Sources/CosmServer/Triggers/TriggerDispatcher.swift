internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumCurl
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Sends trigger notifications. Those of one trigger are sent in order, one at a time, and several triggers
/// concurrently (``NotificationQueue``). The queue has a limited capacity, and each notification has a deadline. A failed
/// notification is not sent again.
final class TriggerDispatcher: Sendable {
    /// The deadline of a notification. It is short, because a receiver that does not respond occupies a transfer for so
    /// long.
    static let deadline: Duration = .seconds(5)

    private struct State {
        var queue: NotificationQueue
        var counts = Counts()
    }

    /// The numbers of notifications since the server started.
    struct Counts: Hashable, Sendable {
        var delivered = 0
        var failed = 0
        var dropped = 0
    }

    private let state: Guarded<State>
    private let allowsLocalTargets: Bool
    /// The clock that measures the transfers.
    private let clock: any HeliumClock
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    init(capacity: Int, allowsLocalTargets: Bool, clock: any HeliumClock = SystemClock()) {
        self.allowsLocalTargets = allowsLocalTargets
        self.clock = clock
        state = Guarded(State(queue: NotificationQueue(capacity: capacity)))
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Queues notifications. Those that exceed the capacity are dropped and counted.
    func send(_ notifications: [TriggerNotification]) {
        if notifications.isEmpty { return }
        state.withLock { state in
            for notification in notifications where state.queue.append(notification) { state.counts.dropped += 1 }
        }
        waker.yield()
    }

    /// Sends notifications until the task is cancelled. Cancelling ends the transfers under way.
    ///
    /// - Parameter isCurrent: Returns whether a notification may still be sent. It is called when the notification leaves
    ///   the queue, in which it may have waited while its trigger or key was deleted.
    func run(
        context: @escaping @Sendable (ServerInstant) -> RenderContext,
        isCurrent: @escaping @Sendable (TriggerNotification) async -> Bool,
        logger: Logger
    ) async {
        var configuration = CurlTransport.Configuration()
        // It is checked for each connection: the address of a name can change after its trigger was created.
        configuration.allowsLocalAddresses = allowsLocalTargets
        let transport = CurlTransport(configuration)
        await withDiscardingTaskGroup { group in
            for await _ in wakes {
                for notification in state.withLock({ $0.queue.takeReady(at: clock.uptime) }) {
                    group.addTask { [self] in
                        var isDelivered: Bool?
                        if await isCurrent(notification) {
                            isDelivered = await deliver(notification, context(notification.at), transport, logger)
                        }
                        state.withLock { [isDelivered] state in
                            state.queue.ended(notification, at: clock.uptime, wasSent: isDelivered != nil)
                            switch isDelivered {
                            case true?: state.counts.delivered += 1
                            case false?: state.counts.failed += 1
                            case nil: break
                            }
                        }
                        waker.yield()
                    }
                }
            }
            group.cancelAll()
        }
        await transport.shutdown()
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
        // The response body is not used. Up to 64 KiB are read, so that the connection can be reused.
        request.responseBody = .collect(upTo: 64 * 1024)
        do {
            let response = try await transport.execute(request)
            return 200...299 ~= response.head.status
        } catch {
            // The receiver has the notification: what follows the head of its response does not matter.
            if let response = error.interruptedResponse, 200...299 ~= response.head.status { return true }
            logger.debug(
                "A trigger's notification was not delivered",
                metadata: ["trigger": "\(notification.trigger.id)", "error": "\(error.kind)"]
            )
            return false
        }
    }
}
