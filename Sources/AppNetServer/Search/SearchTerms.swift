internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// The terms of an object in the full-text index: its words, its tags as `#tag`, the users mentioned as `@name` and its channel as
/// `/id`, each once.
///
/// They are words as ``SearchDocument`` has them, in composed form, as the index compares bytes. Tags are kept in the form in
/// which pnut.io compares them, which is the same for all tags that App.net takes for equal.
struct SearchTerms: Hashable, Sendable {
    private var terms: Set<String> = []

    var isEmpty: Bool { terms.isEmpty }

    /// The terms as the index stores them.
    var text: String { terms.joined(separator: " ") }

    /// The terms of a post or of a message.
    init(_ text: ProcessedText, channel: Int64? = nil) {
        insertWords(of: text.text)
        for tag in text.entities.hashtags { insert(Self.hashtag(tag.name)) }
        for mention in text.entities.mentions { insert(Self.mention(mention.name)) }
        if let channel { insert(Self.channel(channel)) }
    }

    /// The terms of a channel: the words of its annotations.
    init(_ channel: AppNetChannel) { self.init(annotations: channel.annotations) }

    init(annotations: [JSONValue]) { insertWords(of: ChannelSearch.text(of: annotations)) }

    private mutating func insertWords(of text: String) {
        for word in SearchDocument.words(of: text) { insert(Self.word(word)) }
    }

    private mutating func insert(_ term: String?) {
        if let term { terms.insert(term) }
    }
}

// MARK: - Terms

/// Each is `nil` for what the index cannot tell from other terms.
extension SearchTerms {
    static func word(_ word: String) -> String? { term("", word) }

    static func hashtag(_ name: String) -> String? { term("#", tagRules.tagKey(name)) }

    static func mention(_ name: String) -> String? { term("@", name) }

    static func channel(_ id: Int64) -> String { "/\(id)" }

    /// The index has one form of a tag for all dialects: by the rules that take the most tags for the same.
    private static let tagRules = TextRules(ignoresUnderscores: true)

    private static func term(_ sign: String, _ name: String) -> String? {
        // What clients send in a list may be anything. A run of marks costs the square of its length to compose.
        guard !name.isEmpty, name.unicodeScalars.count <= maximumLength, name.unicodeScalars.allSatisfy(isPart) else {
            return nil
        }
        return sign + (name.isASCII ? name : name.precomposedStringWithCanonicalMapping)
    }

    /// The longest name that is a term, in scalars.
    private static let maximumLength = SearchDocument.maximumWordLength

    /// Whether the index takes a scalar for a part of a term: letters, digits and `_` of ASCII, and all others.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar == "_" || Username.isNameByte(UInt8(scalar.value))
    }
}

// MARK: - Expressions

/// A query of the index: one of each list of alternatives. An alternative is a set of terms, all of which must be there.
struct SearchExpression: Hashable, Sendable {
    /// The most channels that the index is asked for; more are looked for in the rows.
    private static let maximumChannels = 200

    private var groups: [[[String]]] = []

    /// - Parameter groups: `nil` stands for an alternative that the index does not know, which leaves its list out.
    /// - Returns: `nil` if nothing is left to ask for.
    init?(_ groups: [[[String]?]]) {
        self.groups = groups.compactMap { group in
            let known = group.compactMap(\.self).filter { !$0.isEmpty }
            return known.count == group.count && !known.isEmpty ? known : nil
        }
        if self.groups.isEmpty { return nil }
    }

    /// Objects of some of these channels alone.
    func `in`(_ channels: some Collection<Int64>) -> Self {
        guard 1...Self.maximumChannels ~= channels.count else { return self }
        var expression = self
        expression.groups.append(channels.map { [SearchTerms.channel($0)] })
        return expression
    }

    /// The expression in the language of FTS5. Every term is quoted, so that none is an operator.
    var text: String {
        groups.map { group in
            let alternatives = group.map { $0.map { "\"\($0)\"" }.joined(separator: " AND ") }
            return "(\(alternatives.map { "(\($0))" }.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
    }
}

extension SearchQuery {
    /// The query of the index. Excluded words are looked for in the objects.
    var alternatives: [[[String]?]] {
        required.map { group in
            group.map { term -> [String]? in
                switch term {
                case .hashtag(let name): SearchTerms.hashtag(name).map { [$0] }
                case .mention(let name): SearchTerms.mention(name).map { [$0] }
                case .words(let words): Set(words).compactMap(SearchTerms.word)
                }
            }
        }
    }
}
