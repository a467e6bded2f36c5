/// A scanner for mentions and hashtags outside the links of a text (Docs/Protocols/AppNet.md §3.6).
struct WordScanner {
    private let scalars: [Unicode.Scalar]
    private let links: [LinkSpan]
    private let marksLeadingMentions: Bool

    private(set) var mentions: [Entities.Mention] = []
    private(set) var hashtags: [Entities.Hashtag] = []

    init(scalars: [Unicode.Scalar], links: [LinkSpan], marksLeadingMentions: Bool) {
        self.scalars = scalars
        self.links = links
        self.marksLeadingMentions = marksLeadingMentions
    }

    mutating func scan() {
        var index = 0
        var nextLink = links.startIndex
        var isLeading = marksLeadingMentions
        while index < scalars.count {
            if nextLink < links.endIndex, links[nextLink].taken.lowerBound <= index {
                index = max(index, links[nextLink].taken.upperBound)
                nextLink += 1
                isLeading = false
                continue
            }
            let limit = nextLink < links.endIndex ? links[nextLink].taken.lowerBound : scalars.count
            switch scalars[index] {
            case "@":
                if let end = mentionEnd(at: index, limit) {
                    addMention(index..<end, isLeading)
                    index = end
                } else {
                    isLeading = false
                    index += 1
                }
            case "#":
                isLeading = false
                if let end = hashtagEnd(at: index, limit) {
                    let name = String(scalars[(index + 1)..<end]).lowercased()
                    hashtags.append(Entities.Hashtag(name: name, position: index, length: end - index))
                    index = end
                } else {
                    index += 1
                }
            default:
                if !scalars[index].properties.isWhitespace { isLeading = false }
                index += 1
            }
        }
    }

    private mutating func addMention(_ range: Range<Int>, _ isLeading: Bool) {
        mentions.append(
            Entities.Mention(
                name: String(scalars[(range.lowerBound + 1)..<range.upperBound]).lowercased(),
                position: range.lowerBound,
                length: range.count,
                isLeading: isLeading ? true : nil
            )
        )
    }

    private func mentionEnd(at index: Int, _ limit: Int) -> Int? {
        if index > 0 {
            let before = scalars[index - 1]
            if before.isNameScalar || before == "@" || before == "/" || before == "&" { return nil }
        }
        var end = index + 1
        while end < limit, scalars[end].isNameScalar { end += 1 }
        guard 1...20 ~= end - index - 1 else { return nil }
        return end < scalars.count && (scalars[end].isNameScalar || scalars[end] == "@") ? nil : end
    }

    private func hashtagEnd(at index: Int, _ limit: Int) -> Int? {
        if scalars.continuesWord(at: index) || index > 0 && scalars[index - 1] == "&" { return nil }
        return scalars.hashtagWordEnd(at: index + 1, limit)
    }
}
