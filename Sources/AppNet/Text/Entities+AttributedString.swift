public import Foundation

extension AttributeScopes {
    /// The attributes that ``Entities/attributedString(of:)`` sets.
    public struct AppNetAttributes: AttributeScope {
        /// The mention.
        public let mention: MentionAttribute
        /// The hashtag.
        public let hashtag: HashtagAttribute
        /// The link as the service sent it. Its URL may be a template.
        public let linkEntity: LinkEntityAttribute
        /// The attributes of Foundation, such as `link`.
        public let foundation: FoundationAttributes
    }

    /// The attributes of App.net's text.
    public var appNet: AppNetAttributes.Type { AppNetAttributes.self }

    /// A mention in an attributed text.
    public enum MentionAttribute: CodableAttributedStringKey {
        /// The mention.
        public typealias Value = Entities.Mention
        /// The attribute's name.
        public static let name = "net.app.mention"
    }

    /// A hashtag in an attributed text.
    public enum HashtagAttribute: CodableAttributedStringKey {
        /// The hashtag.
        public typealias Value = Entities.Hashtag
        /// The attribute's name.
        public static let name = "net.app.hashtag"
    }

    /// A link in an attributed text.
    public enum LinkEntityAttribute: CodableAttributedStringKey {
        /// The link.
        public typealias Value = Entities.Link
        /// The attribute's name.
        public static let name = "net.app.link"
    }
}

extension AttributeDynamicLookup {
    /// Returns the attributes for `text[range].mention`, `.hashtag` and `.linkEntity`.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.AppNetAttributes, Key>
    ) -> Key {
        self[Key.self]
    }
}

extension Entities {
    /// Returns the text with attributes for its entities. Links also have the system's `link` attribute, so views can
    /// open them.
    ///
    /// Entities outside the text, and those that overlap an earlier entity, are left out.
    public func attributedString(of text: String) -> AttributedString {
        var attributed = AttributedString(text)
        var index = attributed.startIndex
        var offset = 0
        for (entity, _) in placed(in: text) {
            guard let position = entity.entity.position, let length = entity.entity.length else { continue }
            let scalars = attributed.unicodeScalars
            let start = scalars.index(index, offsetBy: position - offset)
            let end = scalars.index(start, offsetBy: length)
            (index, offset) = (end, position + length)
            guard start < end else { continue }
            switch entity {
            case .mention(let mention): attributed[start..<end][AttributeScopes.MentionAttribute.self] = mention
            case .hashtag(let hashtag): attributed[start..<end][AttributeScopes.HashtagAttribute.self] = hashtag
            case .link(let link):
                attributed[start..<end][AttributeScopes.LinkEntityAttribute.self] = link
                attributed[start..<end].link = link.url?.url
            }
        }
        return attributed
    }
}
