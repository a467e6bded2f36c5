internal import HeliumCore

/// What channels to look for (§2.12): all that is said has to hold.
public struct ChannelSearch: Hashable, Sendable {
    /// Words of the texts in well-known annotations.
    public var text: String?

    /// Tags.
    public var tags: [String] = []

    /// The type.
    public var type: AppNetChannel.Kind?

    /// Whose it is.
    public var creator: AppNetUser.ID?

    /// Whether it is private; App.net only.
    public var isPrivate: Bool?

    /// Whether it is public.
    public var isPublic: Bool?

    /// The order. The service's default: popularity.
    public var order: Order?

    /// Parameters that this type doesn't have, by name; sent as they are.
    public var additional: [String: String] = [:]

    /// A search for words; `nil` for filters alone.
    public init(_ text: String? = nil) { self.text = text }

    /// The order of what is found, as a name from a list that may grow.
    public struct Order: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// An order by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Those with the most subscribers first.
        public static let popularity = Self(rawValue: "popularity")
        /// The newest first.
        public static let id = Self(rawValue: "id")
        /// Those with the newest messages first.
        public static let activity = Self(rawValue: "activity")
    }

    /// As it stands in a query.
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
        case .pnut: query.merge(["channel_types": type?.rawValue, "owner_id": creator?.text])
        }
        for (name, value) in additional { query[name] = .single(value) }
        return query
    }
}
