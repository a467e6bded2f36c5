import Foundation
import HTTPTypes
import HeliumCore
import Testing
import WireSupport

@testable import HeliumWebSocket

/// No value of a public option ends the process. A connection with it delivers, or fails with an error.
@Suite("Extreme values of the options of WebSockets", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    private static let integers = [Int.max, .min, -1, 0, 1]
    private static let durations: [Duration] = [
        .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min),
        .seconds(Int64.min) + .seconds(Int64.min), .nanoseconds(-1), .zero, .nanoseconds(1),
    ]

    /// Exchanges messages and closes.
    ///
    /// - Parameter isLargeFirst: Whether the server begins with a message whose length is a number of 64 bits.
    private static func exchange(_ options: WebSocketOptions, isLargeFirst: Bool = false) async throws {
        try await WireServer.run { peer in
            try await peer.upgrade()
            if isLargeFirst { try await peer.write(WirePeer.frame(2, [UInt8](repeating: 4, count: 70_000))) }
            try await peer.write(WirePeer.frame(1, [0x61]) + WirePeer.frame(2, [1, 2]) + WirePeer.frame(9, [3]))
            try? await peer.sendClose(1000)
            try? await peer.readToEnd()
        } _: { server async throws in
            do {
                let socket = try await WebSocket.connect(to: server.url, options: options)
                do {
                    try await socket.send(.text("b"))
                    try await socket.send(.binary(Data([4, 5])))
                    for try await _ in socket.messages {}
                } catch {
                    #expect(error is HeliumError, "\(error)")
                }
                await socket.close()
            } catch {
                #expect(error is HeliumError, "\(error)")
            }
        }
    }

    @Test("numbers of messages and bytes", arguments: integers)
    func limits(number: Int) async throws {
        let limits: [any WritableKeyPath<WebSocketOptions.Limits, Int> & Sendable] = [
            \.frameBytes, \.messageBytes, \.receivedMessages, \.receivedBytes, \.queuedMessages, \.queuedBytes,
            \.unwaitedBytes,
        ]
        for limit in limits {
            var options = WebSocketOptions.quiet
            options.limits[keyPath: limit] = number
            for isLargeFirst in [false, true] { try await Self.exchange(options, isLargeFirst: isLargeFirst) }
        }
        // A slow pace would pause for seconds.
        if number > 1 {
            var options = WebSocketOptions.quiet
            options.limits.messagesPerSecond = number
            options.limits.bytesPerSecond = number
            try await Self.exchange(options)
        }
        var pace = try #require(ArrivalPace(messagesPerSecond: number, bytesPerSecond: number))
        _ = pace.pause(afterArrivals: 1 << 40, bytes: 1 << 40, now: .seconds(Int64.max))
    }

    @Test("time limits", arguments: durations)
    func times(duration: Duration) async throws {
        let limits: [any WritableKeyPath<WebSocketOptions.Timeouts, Duration?> & Sendable] = [
            \.connect, \.pingInterval, \.silence, \.send, \.message, \.close,
        ]
        for limit in limits {
            var options = WebSocketOptions.quiet
            options.timeouts[keyPath: limit] = duration
            try await Self.exchange(options)
        }
    }

    @Test("a supervised connection with any delays", arguments: durations)
    func delays(duration: Duration) async throws {
        var policy = BackoffPolicy()
        policy.firstDelay = duration
        policy.maximumDelay = duration
        policy.maximumServerDelay = duration
        for failures in [nil] + Self.integers.map(Optional.init) {
            policy.maximumFailures = failures
            let supervised = SupervisedConnection<Int>(policy: policy) {
                throw HeliumError(
                    .connectionLost,
                    request: RequestSummary(method: .get, url: "ws://a"),
                    delivery: .notSent,
                    message: ""
                )
            } use: { _, _ in
            }
            let running = Task { try await supervised.run() }
            for await state in supervised.states {
                if case .waiting = state { break }
            }
            running.cancel()
            _ = await running.result
        }
    }
}
