internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// The terms of an object in the full-text index: its words, its tags as `#tag`, mentioned users as `@name`, and its
/// channel as `/id`, each once.
///
/// Words are those of ``SearchDocument`` in composed form, because the index compares bytes. Tags have the form in
/// which pnut.io compares them. Tags that are equal in App.net have the same form.
struct SearchTerms: Hashable, Sendable {
    private var terms: Set<String> = []

    var isEmpty: Bool { terms.isEmpty }

    /// The terms in the form that the index stores.
    var text: String { terms.joined(separator: " ") }

    /// Creates the terms of a post or of a message.
    init(_ text: ProcessedText, channel: Int64? = nil) {
        insertWords(of: text.text)
        for tag in text.entities.hashtags { insert(Self.hashtag(tag.name)) }
        for mention in text.entities.mentions { insert(Self.mention(mention.name)) }
        if let channel { insert(Self.channel(channel)) }
    }

    /// Creates the terms of a channel, which are the words of its annotations.
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

/// Each function returns `nil` if the index cannot distinguish the term from other terms.
extension SearchTerms {
    static func word(_ word: String) -> String? { term("", word) }

    static func hashtag(_ name: String) -> String? { term("#", tagRules.tagKey(name)) }

    static func mention(_ name: String) -> String? { term("@", name) }

    static func channel(_ id: Int64) -> String { "/\(id)" }

    /// The rules for tags in the index. All dialects use one form: that of the rules by which the most tags are equal.
    private static let tagRules = TextRules(ignoresUnderscores: true)

    private static func term(_ sign: String, _ name: String) -> String? {
        // Elements of a client's list can be any text. Composing a run of marks takes time proportional to the square
        // of its length.
        guard !name.isEmpty, name.unicodeScalars.count <= maximumLength, name.unicodeScalars.allSatisfy(isPart) else {
            return nil
        }
        return sign + (name.isASCII ? name : name.precomposedStringWithCanonicalMapping)
    }

    /// The maximum length of a name in scalars.
    private static let maximumLength = SearchDocument.maximumWordLength

    /// Returns whether the index treats a scalar as a part of a term: ASCII letters, digits and `_`, and all other
    /// characters outside of ASCII.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80 || scalar == "_" || Username.isNameByte(UInt8(scalar.value))
    }
}

// MARK: - Expressions

/// A query of the index. One alternative of each list must match. An alternative is a set of terms that must all occur.
struct SearchExpression: Hashable, Sendable {
    /// The maximum number of channels in an expression. With more channels, the rows are checked instead.
    private static let maximumChannels = 200

    private var groups: [[[String]]] = []

    /// Creates an expression.
    ///
    /// - Parameter groups: The lists of alternatives. `nil` is an alternative that the index does not contain; its list
    ///   is then left out.
    /// - Returns: `nil` if no list is left.
    init?(_ groups: [[[String]?]]) {
        self.groups = groups.compactMap { group in
            let known = group.compactMap(\.self).filter { !$0.isEmpty }
            return known.count == group.count && !known.isEmpty ? known : nil
        }
        if self.groups.isEmpty { return nil }
    }

    /// Returns an expression that only matches objects in these channels.
    func `in`(_ channels: some Collection<Int64>) -> Self {
        guard 1...Self.maximumChannels ~= channels.count else { return self }
        var expression = self
        expression.groups.append(channels.map { [SearchTerms.channel($0)] })
        return expression
    }

    /// The expression in the syntax of FTS5. All terms are quoted, so that none is parsed as an operator.
    var text: String {
        groups.map { group in
            let alternatives = group.map { $0.map { "\"\($0)\"" }.joined(separator: " AND ") }
            return "(\(alternatives.map { "(\($0))" }.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
    }
}

extension SearchQuery {
    /// The alternatives for the index. Excluded words are checked in the objects.
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
