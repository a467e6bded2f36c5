public import AppNet
internal import HeliumConcurrency
public import HeliumCore
internal import HeliumWebSocket

/// A ``Connectivity`` that follows the connection of a user stream. New messages that the stream tells of are fetched.
///
/// The stream remains the app's, which may have other subscriptions on it, and closes it.
public struct UserStreamConnectivity: Connectivity {
    private let stream: UserStream
    private let channels: [AppNetChannel.ID]

    /// Follows a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - channels: The channels to whose messages it is subscribed.
    public init(stream: UserStream, channels: [AppNetChannel.ID]) {
        self.stream = stream
        self.channels = channels
    }

    /// Follows the stream until it is closed or the task is cancelled.
    public func run(clock: any HeliumClock, _ report: @escaping @Sendable (ConnectivityChange) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for channel in channels {
                group.addTask { await follow(channel, clock: clock, report) }
            }
            // A stream that waits before it connects again has just failed to. One that was closed tells nothing.
            states: for await state in stream.connectionStates {
                switch state {
                case .connected: await report(.reachable)
                case .waiting: await report(.unreachable)
                case .closed(reason: nil): break states
                case .closed, .idle, .connecting: break
                }
            }
            group.cancelAll()
        }
    }

    /// Keeps a subscription, which the service may end.
    private func follow(
        _ channel: AppNetChannel.ID,
        clock: any HeliumClock,
        _ report: @Sendable (ConnectivityChange) async -> Void
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                // The fetch reads what there is; the stream need tell no more than that there is something.
                let subscription = try await stream.subscribe(to: .messages(in: channel))
                failures = 0
                await report(.news(channel))
                for try await _ in subscription { await report(.news(channel)) }
                return
            } catch {
                failures += 1
                let delay = Backoff.ceiling(afterFailures: failures, first: .seconds(1), maximum: .seconds(300))
                do { try await clock.sleep(for: delay) } catch { return }
            }
        }
    }
}
