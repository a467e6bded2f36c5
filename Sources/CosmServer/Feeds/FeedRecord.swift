internal import HeliumServerKit

/// A feed as it is stored (§10).
struct FeedRecord: Hashable, Sendable {
    var id: Int
    /// The login of its owner.
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
    /// The arrival of the last successful write.
    var updated: ServerInstant

    /// How long after a write a feed counts as live (§3.3).
    static let liveSeconds: Int64 = 15 * 60

    /// Whether a write came within the last 15 minutes.
    func isLive(at now: ServerInstant) -> Bool { now <= updated.adding(seconds: Self.liveSeconds) }
}

/// Where a feed is; every part may be missing.
struct LocationRecord: Hashable, Sendable {
    var name: String?
    var domain: String?
    var exposure: String?
    var disposition: String?
    var latitude: Double?
    var longitude: Double?
    /// Kept as the text that was given.
    var elevation: String?

    var isEmpty: Bool { self == Self() }
    var isMobile: Bool { disposition == "mobile" }
}

/// Where a mobile feed once was.
struct Waypoint: Codable, Hashable, Sendable {
    let at: ServerInstant
    let latitude: Double
    let longitude: Double
    let elevation: String?
}
