internal import HeliumCore

/// A search for channels (Docs/Protocols/AppNet.md §2.12). All criteria have to match.
public struct ChannelSearch: Hashable, Sendable {
    /// The words in the text of well-known annotations.
    public var text: String?

    /// The tags.
    public var tags: [String] = []

    /// The type.
    public var type: AppNetChannel.Kind?

    /// The id of the creator.
    public var creator: AppNetUser.ID?

    /// Whether the channel is private; App.net only.
    public var isPrivate: Bool?

    /// Whether the channel is public.
    public var isPublic: Bool?

    /// The order of the results. The service's default is by popularity.
    public var order: Order?

    /// The parameters without a property in this type, by name. They are sent unchanged.
    public var additional: [String: String] = [:]

    /// Creates a search for words. `nil` searches by filters only.
    public init(_ text: String? = nil) { self.text = text }

    /// The order of the results, as a name from a list that may grow.
    public struct Order: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates an order from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Channels with the most subscribers first.
        public static let popularity = Self(rawValue: "popularity")
        /// The newest channels first.
        public static let id = Self(rawValue: "id")
        /// Channels with the most recent messages first.
        public static let activity = Self(rawValue: "activity")
    }

    /// Returns the query representation.
    func query(in dialect: AppNetDialect) -> QueryParameters {
        let words = tags.isEmpty ? nil : tags.joined(separator: dialect.listSeparator)
        var query: QueryParameters = [
            "is_public": isPublic.flag, "order": order?.rawValue, "q": text, "tags": words,
        ]
        switch dialect {
        case .appNet:
            query.merge([
                "creator_id": creator?.text, "is_private": isPrivate.flag, "type": type?.rawValue,
            ])
        case .pnut: query.merge(["channel_types": (type?.rawValue).map(PnutTypes.pnutName), "owner_id": creator?.text])
        }
        for (name, value) in additional { query[name] = .single(value) }
        return query
    }
}
