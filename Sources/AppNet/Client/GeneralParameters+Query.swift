package import HeliumCore

extension GeneralParameters {
    /// A Boolean parameter with its name in each dialect; `nil` if the dialect does not have it.
    private struct Flag: Sendable {
        let value: any WritableKeyPath<GeneralParameters, Bool?> & Sendable
        let appNet: String?
        let pnut: String?
        /// Whether it belongs to a stream's connection. Others belong to its subscriptions
        /// (Docs/Protocols/AppNet.md §2.14).
        let isOfConnection: Bool

        init(
            _ value: any WritableKeyPath<GeneralParameters, Bool?> & Sendable,
            _ appNet: String?,
            pnut: String?,
            isOfConnection: Bool = true
        ) {
            self.value = value
            self.appNet = appNet
            self.pnut = pnut
            self.isOfConnection = isOfConnection
        }

        init(
            _ value: any WritableKeyPath<GeneralParameters, Bool?> & Sendable,
            _ name: String,
            isOfConnection: Bool = true
        ) {
            self.init(value, name, pnut: name, isOfConnection: isOfConnection)
        }

        func name(in dialect: AppNetDialect) -> String? { dialect == .appNet ? appNet : pnut }
    }

    /// A parameter with a list of values.
    private struct List: Sendable {
        let value: any WritableKeyPath<GeneralParameters, [String]?> & Sendable
        let appNet: String?
        let pnut: String?
    }

    private static let flags: [Flag] = [
        Flag(\.includesAnnotations, "include_annotations", pnut: "include_raw"),
        Flag(\.includesUserAnnotations, "include_user_annotations", pnut: "include_user_raw"),
        Flag(\.includesPostAnnotations, "include_post_annotations", pnut: "include_post_raw"),
        Flag(\.includesChannelAnnotations, "include_channel_annotations", pnut: "include_channel_raw"),
        Flag(\.includesMessageAnnotations, "include_message_annotations", pnut: "include_message_raw"),
        Flag(\.includesFileAnnotations, "include_file_annotations", pnut: "include_file_raw"),
        Flag(\.includesPollAnnotations, nil, pnut: "include_poll_raw"),
        Flag(\.includesHTML, "include_html"),
        Flag(\.includesMuted, "include_muted", isOfConnection: false),
        Flag(\.includesDeleted, "include_deleted", isOfConnection: false),
        Flag(\.includesMachineOnly, "include_machine", pnut: nil, isOfConnection: false),
        Flag(\.includesDirectedPosts, "include_directed_posts", isOfConnection: false),
        Flag(\.includesStarredBy, "include_starred_by", pnut: "include_bookmarked_by"),
        Flag(\.includesReposters, "include_reposters", pnut: "include_reposted_by"),
        Flag(\.includesUser, nil, pnut: "include_user"),
        Flag(\.includesMarker, "include_marker"),
        Flag(\.includesRead, "include_read", isOfConnection: false),
        Flag(\.includesRecentMessage, "include_recent_message"),
        Flag(\.includesInactive, "include_inactive", isOfConnection: false),
        Flag(\.includesLimitedUsers, nil, pnut: "include_limited_users", isOfConnection: false),
        Flag(\.includesIncomplete, "include_incomplete", isOfConnection: false),
        Flag(\.includesPrivate, "include_private", isOfConnection: false),
    ]

    private static let lists: [List] = [
        List(value: \.channelTypes, appNet: "channel_types", pnut: "channel_types"),
        List(value: \.excludedChannelTypes, appNet: nil, pnut: "exclude_channel_types"),
        List(value: \.fileTypes, appNet: "file_types", pnut: "file_types"),
    ]

    /// Returns these parameters merged with others. Values of the others take precedence.
    public func merging(_ other: GeneralParameters) -> GeneralParameters {
        var merged = self
        for flag in Self.flags {
            if let value = other[keyPath: flag.value] { merged[keyPath: flag.value] = value }
        }
        for list in Self.lists {
            if let value = other[keyPath: list.value] { merged[keyPath: list.value] = value }
        }
        merged.additional.merge(other.additional) { $1 }
        return merged
    }

    /// Returns the query representation. Parameters that the dialect does not have are left out.
    package func query(in dialect: AppNetDialect) -> QueryParameters {
        var query = QueryParameters()
        for flag in Self.flags {
            guard let value = self[keyPath: flag.value], let name = flag.name(in: dialect) else { continue }
            query[name] = .single(value ? "1" : "0")
        }
        for list in Self.lists {
            guard let value = self[keyPath: list.value], let name = dialect == .appNet ? list.appNet : list.pnut
            else { continue }
            query[name] = .single(dialect.typeNames(value).joined(separator: ","))
        }
        for (name, value) in additional { query[name] = .single(value) }
        return query
    }

    /// Returns the part of the query that belongs to a stream's connection (Docs/Protocols/AppNet.md §2.14).
    func connectionQuery(in dialect: AppNetDialect) -> [(name: String, value: String)] {
        let query = query(in: dialect)
        return Self.flags.filter(\.isOfConnection).compactMap { flag in
            guard let name = flag.name(in: dialect), case .single(let value)? = query[name] else { return nil }
            return (name, value)
        }
    }
}
