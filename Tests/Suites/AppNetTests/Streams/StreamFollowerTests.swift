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
        var policy = BackoffPolicy()
        policy.firstDelay = .milliseconds(1)
        policy.maximumDelay = .milliseconds(4)
        policy.maximumFailures = 2
        let address = URL(string: "http://adn.test/stream/0/")
        var configuration = AppNetConfiguration(token: "EXAMPLE_TOKEN", baseURL: address)
        configuration.environment.clock = TestClock(skippingSleepsUpTo: .milliseconds(4))
        let client = try AppNetClient(configuration: configuration)
        let follower = StreamFollower(topic, client: client, options: StreamSubscriptionOptions(), backoff: policy)
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
}
