import Foundation
import HeliumTesting
import Synchronization
import Testing

@testable import Cosm

/// A model whose updates a test delivers: the subscription is real, and no socket is connected.
final class PushedFeed: Sendable {
    let model: FeedModel
    private let follower = Guarded<LiveFollower<Feed>?>(nil)

    init(_ model: FeedModel) { self.model = model }

    func subscribe() async throws {
        let follower = LiveFollower<Feed>(
            .feed(504),
            reader: try model.core.scope.api(),
            options: SubscriptionOptions(),
            clock: TestClock(),
            random: .system
        )
        self.follower.withLock { $0 = follower }
        let socket = CosmSocket(url: try #require(URL(string: "ws://cosm.test")), apiKey: nil)
        try await model.keepUpdated { _ in
            LiveSubscription(follower, number: 0, on: socket)
        } read: { model in
            try await ModelRequests(api: try model.core.scope.api()).feed(504, [:])
        }
    }

    /// Delivers a push as the socket does.
    func push(_ document: Feed) { follower.withLock { $0 }?.received(.feed(document)) }
}
