internal import HeliumServerKit

/// The parameters that every call accepts (Docs/Protocols/AppNet.md §1.8).
struct GeneralParameters: Hashable, Sendable {
    /// The kinds of objects that have annotations.
    enum Kind: String, CaseIterable, Sendable {
        case user, post, channel, message, file
        /// Only in pnut.io (Docs/Protocols/AppNet.md §6.3).
        case poll
    }

    /// The kinds of objects whose annotations are requested.
    var annotated: Set<Kind> = []
    var includesHTML = true
    var includesMuted = false
    var includesDeleted = true
    var includesMachine = false
    /// Whether directed posts are included; `nil` for the default of the stream.
    var includesDirectedPosts: Bool?
    var includesStarredBy = false
    var includesReposters = false
    var includesMarker = false
    var includesRead = true
    var includesRecentMessage = false
    var includesInactive = false
    /// The types of channels to include; `nil` for all.
    var channelTypes: Set<String>?
    /// The types of channels to exclude if ``channelTypes`` is `nil`.
    var excludedChannelTypes: Set<String> = []
    /// Whether ACLs contain users in addition to their ids.
    var includesLimitedUsers = false
    /// The types of files to include; `nil` for all.
    var fileTypes: Set<String>?
    var includesIncomplete = true
    var includesPrivate = true
    /// The dialect of the objects.
    var dialect = Dialect.appNet

    init() {}

    init(_ query: FormFields, _ dialect: Dialect) {
        self.dialect = dialect
        if query.flag("include_annotations") ?? false { annotated = Set(Kind.allCases) }
        for kind in Kind.allCases {
            guard let flag = query.flag("include_\(kind.rawValue)_annotations") else { continue }
            if flag { annotated.insert(kind) } else { annotated.remove(kind) }
        }
        func set(_ path: WritableKeyPath<Self, Bool>, _ name: String) {
            if let flag = query.flag(name) { self[keyPath: path] = flag }
        }
        set(\.includesHTML, "include_html")
        set(\.includesMuted, "include_muted")
        set(\.includesDeleted, "include_deleted")
        set(\.includesMachine, "include_machine")
        includesDirectedPosts = query.flag("include_directed_posts")
        set(\.includesStarredBy, "include_starred_by")
        set(\.includesReposters, "include_reposters")
        set(\.includesMarker, "include_marker")
        set(\.includesRead, "include_read")
        set(\.includesRecentMessage, "include_recent_message")
        set(\.includesInactive, "include_inactive")
        channelTypes = query.list("channel_types").map(Set.init)
        fileTypes = query.list("file_types").map(Set.init)
        set(\.includesIncomplete, "include_incomplete")
        set(\.includesPrivate, "include_private")
        guard dialect.extendsParameters else { return }
        excludedChannelTypes = Set(query.list("exclude_channel_types") ?? [])
        set(\.includesLimitedUsers, "include_limited_users")
    }

    /// Returns whether channels of a type are included.
    func includes(channelType: String) -> Bool {
        channelTypes?.contains(channelType) ?? !excludedChannelTypes.contains(channelType)
    }
}
