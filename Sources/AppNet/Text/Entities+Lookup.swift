internal import HeliumJSON

extension Entities {
    /// The first mention of a user, whatever the letter case; with or without `@`.
    public func mention(of username: String) -> Mention? {
        let name = username.hasPrefix("@") ? username.dropFirst().lowercased() : username.lowercased()
        return mentions?.first { $0.name?.lowercased().hasSameBytes(as: name) == true }
    }

    /// Whether a user is mentioned, whatever the letter case; with or without `@`.
    public func mentions(_ username: String) -> Bool { mention(of: username) != nil }

    /// Whether a hashtag is there, whatever the letter case; with or without `#`.
    public func contains(hashtag: String) -> Bool {
        let name = hashtag.hasPrefix("#") ? hashtag.dropFirst().lowercased() : hashtag.lowercased()
        return hashtags?.contains { $0.name?.lowercased().hasSameBytes(as: name) == true } ?? false
    }

    /// The mentions that the text begins with: whom it is directed to.
    public var leadingMentions: [Mention] { mentions?.filter { $0.isLeading == true } ?? [] }
}
