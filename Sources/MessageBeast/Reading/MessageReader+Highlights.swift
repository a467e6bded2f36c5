internal import Foundation

extension MessageReader {
    /// Returns the hits with the parts of their texts that matched.
    func hits(_ found: FoundMessages, words: [SearchWord]) -> [SearchHit] {
        zip(found.messages, found.ranks).map { message, rank in
            let matches = Highlight.ranges(of: words, in: message.message.text ?? "")
            return SearchHit(message: message, matches: matches, rankCursor: rank)
        }
    }
}
