import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@testable import AppNet

@Suite("Reading the list of a subscription", .timeLimit(.minutes(5)))
struct StreamFollowerTests {
    @Test("only failures count for the number of failures after which a subscription ends")
    func failures() async throws {
        let count = Guarded(0)
        let missed = Guarded<(@Sendable () -> Void)?>(nil)
        let topic = StreamTopic<Message>(name: "messages") { _, bounds, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // A gap shows while the list is read for the second to the fifth time.
            if 2...5 ~= number { missed.withLock { $0 }?() }
            if number == 6 { throw AppNetError(.serverFailed, "status 503", delivery: .answered) }
            return Page(elements: [], meta: ResponseMeta(subscriptionID: "a"), bounds: bounds)
        }
        let (follower, client) = try Self.follower(of: topic, maximumFailures: 2)
        missed.withLock { $0 = { follower.missed() } }
        let parameters = StreamSubscriptionParameters(connectionID: "c", subscriptionID: "a")
        for expected in [1, 7] {
            #expect(follower.beginReading())
            #expect(try await follower.catchUp(parameters, isResumed: false))
            #expect(count.withLock { $0 } == expected)
        }
        missed.withLock { $0 = nil }
        await client.close()
    }

    @Test("a gap that shows while the first page is read is told after it, with the items that cannot be read")
    func firstGap() async throws {
        let missed = Guarded<(@Sendable () -> Void)?>(nil)
        let topic = StreamTopic<Message>(name: "messages") { _, bounds, _ in
            let isFirst = bounds.since == nil
            if isFirst { missed.withLock { $0 }?() }
            var unreadable = UnreadableItems()
            if !isFirst { unreadable.add(id: "2", reason: "it has no channel") }
            let meta = ResponseMeta(maxID: isFirst ? "1" : "2", subscriptionID: "a")
            let elements = isFirst ? [Message(id: "1")] : []
            return Page(elements: elements, unreadable: unreadable, meta: meta, bounds: bounds)
        }
        let (follower, client) = try Self.follower(of: topic)
        missed.withLock { $0 = { follower.missed() } }
        #expect(follower.beginReading())
        let parameters = StreamSubscriptionParameters(connectionID: "c", subscriptionID: "a")
        #expect(try await follower.catchUp(parameters, isResumed: false))
        follower.ended(nil)
        var updates: [StreamUpdate<Message>] = []
        while let update = try await follower.queue.next() { updates.append(update) }
        #expect(updates.map(\.change) == [.caughtUp(isResumed: false)])
        #expect(updates.first?.unreadable.ids == ["2"])
        missed.withLock { $0 = nil }
        await client.close()
    }

    private static func follower(
        of topic: StreamTopic<Message>,
        maximumFailures: Int? = nil
    ) throws -> (StreamFollower<Message>, AppNetClient) {
        var policy = BackoffPolicy()
        policy.firstDelay = .milliseconds(1)
        policy.maximumDelay = .milliseconds(4)
        policy.maximumFailures = maximumFailures
        let address = URL(string: "http://adn.test/stream/0/")
        var configuration = AppNetConfiguration(token: "EXAMPLE_TOKEN", baseURL: address)
        configuration.environment.clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        let client = try AppNetClient(configuration: configuration)
        let options = StreamSubscriptionOptions()
        return (StreamFollower(topic, client: client, options: options, backoff: policy), client)
    }
}
