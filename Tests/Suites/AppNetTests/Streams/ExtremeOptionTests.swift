import Foundation
import HeliumTesting
import HeliumWebSocket
import TestSupport
import Testing

@testable import AppNet

/// No value of a public option ends the process. A stream with it delivers, or fails with an error.
@Suite("Extreme values of the options of streams", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    private static let integers = [Int.max, .min, -1, 0, 1]
    private static let durations: [Duration] = [
        .seconds(Int64.max) + .seconds(Int64.max), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(-1), .zero,
        .nanoseconds(1),
    ]

    /// Subscribes, and takes one update.
    private static func follow(
        _ scheme: String,
        _ options: UserStreamOptions,
        _ subscription: StreamSubscriptionOptions = StreamSubscriptionOptions()
    ) async throws {
        try await TestStreamServer.run(scheme: scheme) { server, client in
            let stream = client.userStream(options)
            do {
                let messages = try await stream.subscribe(to: .messages(in: "12"), options: subscription)
                server.write()
                for try await update in messages where update.value != nil { break }
            } catch {
                #expect(error is AppNetError, "\(error)")
            }
            await stream.close()
        }
    }

    private static var brisk: UserStreamOptions {
        var options = UserStreamOptions.brisk
        options.connection.backoff.maximumFailures = 3
        return options
    }

    @Test("sizes and rates of frames", arguments: ["ws", "http"], integers)
    func frames(scheme: String, number: Int) async throws {
        // A slower pace would pause for seconds.
        for option in [\StreamConnectionOptions.framesPerSecond, \.bytesPerSecond] where number > 1 {
            var options = Self.brisk
            options.connection[keyPath: option] = number
            try await Self.follow(scheme, options)
        }
        var options = Self.brisk
        options.connection.frameBytes = number
        try await Self.follow(scheme, options)
        var pace = try #require(ArrivalPace(messagesPerSecond: number, bytesPerSecond: number))
        _ = pace.pause(afterArrivals: .max / 1024, bytes: .max / 1024, now: .zero)
    }

    @Test("time limits of a connection and of subscribing", arguments: ["ws", "http"], durations)
    func times(scheme: String, duration: Duration) async throws {
        var options = Self.brisk
        options.connection.connectTimeout = duration
        try await Self.follow(scheme, options)
        options = Self.brisk
        options.connection.silenceLimit = duration
        // A connection with no time for silence ends again and again.
        options.subscribeTimeout = .seconds(1)
        try await Self.follow(scheme, options)
        options = Self.brisk
        options.subscribeTimeout = duration
        try await Self.follow(scheme, options)
        options = Self.brisk
        options.connection.backoff.firstDelay = duration
        options.connection.backoff.maximumDelay = duration
        options.connection.backoff.maximumServerDelay = duration
        try await Self.follow(scheme, options)
    }

    @Test("numbers of items", arguments: integers)
    func items(number: Int) async throws {
        for option in [\StreamSubscriptionOptions.bufferLimit, \.memory] {
            var subscription = StreamSubscriptionOptions()
            subscription[keyPath: option] = number
            try await Self.follow("ws", Self.brisk, subscription)
        }
        var subscription = StreamSubscriptionOptions()
        subscription.initialCount = number
        try await Self.follow("ws", Self.brisk, subscription)
    }
}
