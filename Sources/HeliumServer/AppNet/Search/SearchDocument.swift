/// What a search looks at of a post, a message, a channel or a user.
struct SearchDocument: Sendable {
    private let words: [String]
    private(set) var hashtags: Set<String> = []
    private(set) var mentions: Set<String> = []
    private(set) var leadingMentions: Set<String> = []
    private(set) var links: [String] = []
    /// The form in which tags are compared.
    let tagKey: @Sendable (String) -> String

    /// - Parameters:
    ///   - text: what words and phrases are looked for in
    ///   - entities: what the server found in it
    ///   - tagKey: the form in which tags are compared; default: as they are stored
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

    func contains(_ term: SearchQuery.Term) -> Bool { occurrences(term) > 0 }

    func occurrences(_ term: SearchQuery.Term) -> Int {
        switch term {
        case .hashtag(let name): return hashtags.contains(tagKey(name)) ? 1 : 0
        case .mention(let name): return mentions.contains(name) ? 1 : 0
        case .words(let phrase):
            guard let first = phrase.first, phrase.count <= words.count else { return 0 }
            return words.indices.filter { words[$0] == first && words[$0...].starts(with: phrase) }.count
        }
    }

    /// The hosts of the links, without `www.`.
    var linkDomains: Set<String> { Set(links.compactMap(Self.domain)) }

    /// The words of a text: letters, digits and underscores in lower case.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }

    /// The host of a URL, without `www.`.
    static func domain(_ url: String) -> String? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let rest = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = rest.split(separator: "@").last.map { $0.prefix { $0 != ":" } } ?? ""
        guard !host.isEmpty else { return nil }
        return (host.lowercased().hasPrefix("www.") ? host.dropFirst(4) : host).lowercased()
    }
}
