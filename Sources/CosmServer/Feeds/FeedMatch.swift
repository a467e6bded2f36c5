internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// Decides whether a feed matches a search, and computes its relevance and distance (Docs/Protocols/Cosm.md §3.1).
struct FeedMatch: Hashable, Sendable {
    /// The relevance. It is larger the more texts contain the words, and a match in the title counts most.
    var relevance = 0
    /// The distance in kilometres; `nil` if the search has no centre.
    var distance: Double?

    /// Creates the match; `nil` if the feed does not match. It does not check owner, visibility and status.
    init?(_ feed: FeedRecord, _ streams: [DatastreamRecord], _ search: FeedSearch) {
        if !search.words.isEmpty {
            guard let relevance = Self.relevance(feed, streams, search.words) else { return nil }
            self.relevance = relevance
        }
        if let tag = search.tag {
            let tags = feed.tags + streams.flatMap(\.tags)
            guard tags.contains(where: { $0.lowercased() == tag }) else { return nil }
        }
        if let units = search.units {
            let matches = streams.contains { stream in
                [stream.unit.label, stream.unit.symbol, stream.unit.type].contains { $0?.lowercased() == units }
            }
            guard matches else { return nil }
        }
        if let area = search.area {
            guard let latitude = feed.location.latitude, let longitude = feed.location.longitude else { return nil }
            let distance = Self.kilometres(area.latitude, area.longitude, latitude, longitude)
            if let radius = area.radius, distance > radius { return nil }
            self.distance = distance
        }
    }

    /// Returns the relevance; `nil` if one of the words does not occur.
    private static func relevance(_ feed: FeedRecord, _ streams: [DatastreamRecord], _ words: [String]) -> Int? {
        let title = folded(feed.title)
        let others =
            ([feed.description, feed.location.name].compactMap { $0 } + feed.tags + streams.map(\.id)
            + streams.flatMap(\.tags)).map(folded)
        var relevance = 0
        for word in words {
            let pattern = SequencePattern(folded(word))
            let inTitle = pattern.occurrences(in: title, upTo: 1) > 0
            let count = others.count { pattern.occurrences(in: $0, upTo: 1) > 0 }
            guard inTitle || count > 0 else { return nil }
            relevance += (inTitle ? 10 : 0) + min(count, 9)
        }
        return relevance
    }

    /// The work of a row, in bytes: reading many datastreams with short ids takes time too.
    private static let rowWork = 64

    /// Returns the work of a search of a feed, in bytes: the bytes of the searched texts times the number of words, and
    /// those that are only read.
    static func work(_ feed: FeedRecord, _ streams: [DatastreamRecord], words: Int) -> Int {
        let searched =
            [feed.title, feed.description ?? "", feed.location.name ?? ""] + feed.tags
            + streams.flatMap { [$0.id, $0.unit.label ?? "", $0.unit.symbol ?? ""] + $0.tags }
        let others =
            [feed.website, feed.email, feed.icon, feed.location.elevation]
            + streams.flatMap { [$0.currentValue, $0.unit.type] }
        return searched.reduce(0) { $0 + $1.utf8.count } * max(words, 1)
            + others.reduce(0) { $0 + ($1?.utf8.count ?? 0) } + rowWork * (1 + streams.count)
    }

    private static let earthRadius = 6_371.0088

    /// Returns the great-circle distance by the haversine formula, on a sphere with the mean radius of the earth.
    static func kilometres(_ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ other: Double) -> Double
    {
        let radians = Double.pi / 180
        let north = sin((otherLatitude - latitude) * radians / 2)
        let east = sin((other - longitude) * radians / 2)
        let chord = north * north + cos(latitude * radians) * cos(otherLatitude * radians) * east * east
        return 2 * earthRadius * asin(min(1, chord.squareRoot()))
    }
}

/// Returns the bytes of a text in lower case and composed form, so that texts that look alike are equal.
private func folded(_ text: String) -> [UInt8] {
    let lower = text.lowercased()
    return Array((lower.isASCII ? lower : lower.precomposedStringWithCanonicalMapping).utf8)
}
