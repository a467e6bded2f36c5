public import AppNet
internal import HeliumConcurrency
public import HeliumCore
internal import HeliumWebSocket

/// A ``Connectivity`` that follows the connection of a user stream. New messages that the stream reports are fetched.
///
/// The app owns the stream: it may have other subscriptions on it, and it closes it.
public struct UserStreamConnectivity: Connectivity {
    private let stream: UserStream
    private let channels: [AppNetChannel.ID]

    /// Creates a connectivity that follows a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - channels: The channels whose messages are subscribed to.
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
            // A stream that waits before it reconnects has just failed to connect. A stream that was closed reports
            // nothing.
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

    /// Maintains a subscription. The service may end it.
    private func follow(
        _ channel: AppNetChannel.ID,
        clock: any HeliumClock,
        _ report: @Sendable (ConnectivityChange) async -> Void
    ) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                // The fetch reads the messages. The stream only needs to report that there are some.
                let subscription = try await stream.subscribe(to: .messages(in: channel))
                failures = 0
                await report(.newMessages(channel))
                for try await _ in subscription { await report(.newMessages(channel)) }
                return
            } catch {
                failures += 1
                let delay = Backoff.ceiling(afterFailures: failures, first: .seconds(1), maximum: .seconds(300))
                do { try await clock.sleep(for: delay) } catch { return }
            }
        }
    }
}
