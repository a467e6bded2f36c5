/// What can be subscribed to (§14.2).
public enum LiveResource: Hashable, Sendable {
    /// A feed: its whole document comes with each change of it or of one of its datastreams.
    case feed(Feed.ID)
    /// One datastream of a feed.
    case datastream(String, in: Feed.ID)
}

extension LiveResource {
    /// The path below the version: `/feeds/504/datastreams/0`.
    public var path: String {
        switch self {
        case .feed(let id): "/feeds/\(id)"
        case .datastream(let id, let feed): "/feeds/\(feed)/datastreams/\(id)"
        }
    }

    /// The resource at a path; `nil` of any other. A missing slash, a `/v2` prefix, a `.json` and a query may be there.
    init?(path: some StringProtocol) {
        var segments = path.prefix { $0 != "?" }.split(separator: "/")
        if segments.first?.lowercased() == "v2" { segments.removeFirst() }
        guard segments.count == 2 || segments.count == 4, segments[0] == "feeds", var last = segments.popLast() else {
            return nil
        }
        if last.hasSuffix(".json") { last = last.dropLast(5) }
        guard !last.isEmpty else { return nil }
        if segments.count == 1 {
            self = .feed(Feed.ID(String(last)))
        } else if segments[2] == "datastreams" {
            self = .datastream(String(last), in: Feed.ID(String(segments[1])))
        } else {
            return nil
        }
    }
}

extension LiveResource: CustomStringConvertible {
    /// The path.
    public var description: String { path }
}
