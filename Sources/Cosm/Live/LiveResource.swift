internal import Foundation
internal import HeliumCore
internal import HeliumJSON

/// A resource that supports subscriptions (Docs/Protocols/Cosm.md §14.2).
public enum LiveResource: Hashable, Sendable {
    /// A feed. Its whole document is pushed after each change of the feed or of one of its datastreams.
    case feed(Feed.ID)
    /// A datastream of a feed.
    case datastream(String, in: Feed.ID)
}

extension LiveResource {
    /// The path without the version: `/feeds/504/datastreams/0`.
    ///
    /// An id that ends like the suffix of a format gets the suffix `.json`, because the server removes one suffix
    /// (Docs/Protocols/Cosm.md §2.2).
    package var path: String {
        switch self {
        case .feed(let id): "/feeds/\(Self.segment(id.text, isLast: true))"
        case .datastream(let id, let feed):
            "/feeds/\(Self.segment(feed.text, isLast: false))/datastreams/\(Self.segment(id, isLast: true))"
        }
    }

    /// Returns an id as a segment of a path. The characters that have a meaning in a path are escaped.
    private static func segment(_ id: String, isLast: Bool) -> String {
        var segment = ""
        for scalar in id.unicodeScalars {
            switch scalar {
            case "%": segment += "%25"
            case "/": segment += "%2F"
            case "?": segment += "%3F"
            case "#": segment += "%23"
            default: segment.unicodeScalars.append(scalar)
            }
        }
        let hasSuffix = suffixes.contains { segment.lowercased().hasByteSuffix($0) }
        return isLast && hasSuffix ? segment + ".json" : segment
    }

    private static let suffixes = CosmFormat.allCases.map(\.suffix) + [".png"]

    /// Creates the resource at a path; `nil` if the path is not that of a feed or datastream. The path may lack its
    /// first slash, and may have the prefix `/v2`, the suffix `.json` and a query.
    init?(path: some StringProtocol) {
        var segments = path.prefix(beforeByte: "?").split(atByte: "/")
        if segments.first?.lowercased().hasSameBytes(as: "v2") == true { segments.removeFirst() }
        guard segments.count == 2 || segments.count == 4, segments[0].hasSameBytes(as: "feeds"),
            var last = segments.popLast()
        else { return nil }
        if last.hasByteSuffix(".json") { last = Substring(last.utf8.dropLast(5)) }
        guard !last.isEmpty else { return nil }
        func id(_ segment: some StringProtocol) -> String { segment.removingPercentEncoding ?? String(segment) }
        if segments.count == 1 {
            self = .feed(Feed.ID(id(last)))
        } else if segments[2].hasSameBytes(as: "datastreams") {
            self = .datastream(id(last), in: Feed.ID(id(segments[1])))
        } else {
            return nil
        }
    }
}

extension LiveResource: CustomStringConvertible {
    /// The path of the resource.
    public var description: String { path }
}
