internal import HeliumServerKit

/// A stored feed (Docs/Protocols/Cosm.md §10).
struct FeedRecord: Hashable, Sendable {
    var id: Int
    /// The login of the owner.
    var owner: String
    var title: String
    var description: String?
    var website: String?
    var email: String?
    var icon: String?
    @TagLines var tags: [String] = []
    var isPrivate = false
    var location = LocationRecord()
    var created: ServerInstant
    /// The time of arrival of the last successful write.
    var updated: ServerInstant

    /// The time after a write during which a feed is live, in seconds (Docs/Protocols/Cosm.md §3.3).
    static let liveSeconds: Int64 = 15 * 60

    /// Returns whether there was a write within the last 15 minutes.
    func isLive(at now: ServerInstant) -> Bool { now <= updated.adding(seconds: Self.liveSeconds) }
}

/// The location of a feed. Every member is optional.
struct LocationRecord: Hashable, Sendable {
    var name: String?
    var domain: String?
    var exposure: String?
    var disposition: String?
    var latitude: Double?
    var longitude: Double?
    /// The elevation, as the text that was written.
    var elevation: String?

    var isEmpty: Bool { self == Self() }
    var isMobile: Bool { disposition == "mobile" }
}

/// A former position of a mobile feed.
struct Waypoint: Codable, Hashable, Sendable {
    let at: ServerInstant
    let latitude: Double
    let longitude: Double
    let elevation: String?
}
