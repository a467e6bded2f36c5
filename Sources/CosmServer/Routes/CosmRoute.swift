/// The resource that a path below the API's root names.
enum CosmRoute: Hashable, Sendable {
    case feeds
    case feed(Int)
    case datastreams(feed: Int)
    case datastream(feed: Int, String)
    case datapoints(feed: Int, datastream: String)
    case datapoint(feed: Int, datastream: String, at: String)
    case keys
    case key(String)
    case triggers
    case trigger(Int)
    case users
    case user(String)
    /// A path of a valid form with an invalid number.
    case nothing

    /// Creates the route of decoded segments; `nil` for a path that the API does not have.
    init?(_ segments: [String]) {
        switch segments.first {
        case "feeds":
            guard segments.count > 1 else {
                self = .feeds
                return
            }
            guard let feed = Int(segments[1]), feed > 0 else {
                self = .nothing
                return
            }
            switch (segments.count, segments.dropFirst(2).first, segments.dropFirst(4).first) {
            case (2, _, _): self = .feed(feed)
            case (3, "datastreams", _): self = .datastreams(feed: feed)
            case (4, "datastreams", _): self = .datastream(feed: feed, segments[3])
            case (5, "datastreams", "datapoints"): self = .datapoints(feed: feed, datastream: segments[3])
            case (6, "datastreams", "datapoints"):
                self = .datapoint(feed: feed, datastream: segments[3], at: segments[5])
            default: return nil
            }
        case "keys" where segments.count == 1: self = .keys
        case "keys" where segments.count == 2: self = .key(segments[1])
        case "triggers" where segments.count == 1: self = .triggers
        case "triggers" where segments.count == 2: self = Int(segments[1]).map { .trigger($0) } ?? .nothing
        case "users" where segments.count == 1: self = .users
        case "users" where segments.count == 2: self = .user(segments[1])
        default: return nil
        }
    }
}
