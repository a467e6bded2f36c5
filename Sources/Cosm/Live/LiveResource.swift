/// A resource that supports subscriptions (Docs/Protocols/Cosm.md §14.2).
public enum LiveResource: Hashable, Sendable {
    /// A feed. Its whole document is pushed after each change of the feed or of one of its datastreams.
    case feed(Feed.ID)
    /// A datastream of a feed.
    case datastream(String, in: Feed.ID)
}

extension LiveResource {
    /// The path without the version: `/feeds/504/datastreams/0`.
    package var path: String {
        switch self {
        case .feed(let id): "/feeds/\(id)"
        case .datastream(let id, let feed): "/feeds/\(feed)/datastreams/\(id)"
        }
    }

    /// Creates the resource at a path; `nil` if the path is not that of a feed or datastream. The path may lack its
    /// first slash, and may have the prefix `/v2`, the suffix `.json` and a query.
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
    /// The path of the resource.
    public var description: String { path }
}
