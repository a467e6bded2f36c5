internal import HeliumJSON

/// The searchable contents of a post, a message, a channel or a user.
struct SearchDocument: Sendable {
    /// The maximum length of a word in scalars. Longer words are truncated.
    static let maximumWordLength = 64

    /// The words of the text, in lower case.
    let words: [String]
    private(set) var hashtags: Set<String> = []
    private(set) var mentions: Set<String> = []
    private(set) var leadingMentions: Set<String> = []
    private(set) var links: [String] = []
    /// Returns the form in which tags are compared.
    let tagKey: @Sendable (String) -> String

    /// - Parameters:
    ///   - text: The text in which words and phrases are searched.
    ///   - entities: The entities that the server found in the text.
    ///   - tagKey: Returns the form in which tags are compared. Default: the stored form.
    init(
        text: String,
        entities: AppNetEntities = AppNetEntities(),
        tagKey: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.tagKey = tagKey
        words = Self.words(of: text)
        hashtags = Set(entities.hashtags.map { tagKey($0.name) })
        mentions = Set(entities.mentions.map(\.name))
        leadingMentions = Set(entities.mentions.filter(\.isLeading).map(\.name))
        links = entities.links.map { $0.url.lowercased() }
    }

    /// Returns the number of occurrences of a query's term.
    ///
    /// - Parameter numbers: The numbers of ``words`` in `vocabulary`.
    func occurrences(_ term: SearchQuery.Term, _ numbers: [Int], _ vocabulary: SearchVocabulary) -> Int {
        switch term {
        case .hashtag(let name): hashtags.contains(tagKey(name)) ? 1 : 0
        case .mention(let name): mentions.contains(name) ? 1 : 0
        case .words(let phrase): vocabulary.occurrences(of: phrase, in: numbers)
        }
    }

    /// The hosts of the links, without `www.`.
    var linkDomains: Set<String> { Set(links.compactMap(Self.domain)) }

    /// Returns the words of a text: letters, digits and underscores, in lower case.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var length = 0
        for scalar in text.lowercased().unicodeScalars {
            // A mark belongs to the preceding letter.
            if EntityScanner.isWord(scalar) || length > 0 && Self.extendsWord(scalar) {
                length += 1
                if length <= maximumWordLength { word.append(scalar) }
            } else if length > 0 {
                words.append(String(word))
                word = String.UnicodeScalarView()
                length = 0
            }
        }
        if length > 0 { words.append(String(word)) }
        return words
    }

    private static func extendsWord(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isMark(scalar) || scalar.properties.generalCategory == .format
    }

    /// Returns the host of a URL, without `www.`.
    static func domain(_ url: String) -> String? {
        guard let scheme = url.utf8.firstRange(of: "://".utf8) else { return nil }
        let rest = Substring(url.utf8[scheme.upperBound...].prefix { !"/?#".utf8.contains($0) })
        let host = rest.split(atByte: "@").last?.prefix(beforeByte: ":") ?? ""
        guard !host.isEmpty else { return nil }
        return (host.lowercased().hasPrefix("www.") ? host.dropFirst(4) : host).lowercased()
    }
}
