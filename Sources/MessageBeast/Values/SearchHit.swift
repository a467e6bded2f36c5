/// A message found by a full-text search.
public struct SearchHit: Sendable, Equatable {
    /// The message.
    public let message: MessagePlus

    /// The parts of the text that matched, in ascending order.
    public let matches: [Range<String.Index>]

    /// The position of the hit in a search by rank. The next page starts after the position of the last hit. `nil` in a
    /// search newest first, where ``MessagePlus/cursor`` is the position.
    public let rankCursor: RankCursor?

    /// Returns a part of the text around the first match, with `…` at cut ends.
    ///
    /// - Parameter length: The maximum number of characters. Default: 80.
    public func snippet(length: Int = 80) -> String {
        let text = message.message.text ?? ""
        let length = max(length, 1)
        guard text.count > length else { return text }
        let match = matches.first?.lowerBound ?? text.startIndex
        // A quarter of the snippet precedes the match.
        var start = text.index(match, offsetBy: -(length / 4), limitedBy: text.startIndex) ?? text.startIndex
        var end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
        if end == text.endIndex {
            start = text.index(end, offsetBy: -length, limitedBy: text.startIndex) ?? text.startIndex
        } else if let space = text[match..<end].lastIndex(of: " "), space > match {
            end = space
        }
        return (start > text.startIndex ? "…" : "") + text[start..<end] + (end < text.endIndex ? "…" : "")
    }
}

/// The order of the results of a full-text search.
public enum SearchOrder: Hashable, Sendable {
    /// The newest display date first.
    case newestFirst
    /// The best match first.
    case rank
}

/// A position in the results of a search by rank.
///
/// Ranks depend on all indexed messages. If messages are stored or removed between two pages, a hit may be repeated or
/// skipped.
public struct RankCursor: Hashable, Sendable, Codable {
    /// The rank. A lower rank is a better match.
    let rank: Double
    /// The number of hits with that rank up to the position.
    let ties: Int

    /// Creates the position of a hit that follows another.
    init(following previous: RankCursor?, rank: Double) {
        self.rank = rank
        ties = previous?.rank == rank ? (previous?.ties ?? 0) + 1 : 1
    }
}
