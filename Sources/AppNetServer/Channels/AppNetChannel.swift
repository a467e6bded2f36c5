internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A channel in its stored form (Docs/Protocols/AppNet.md §3.2).
struct AppNetChannel: Codable, Hashable, Sendable {
    static let privateMessages = "net.app.core.pm"
    static let broadcast = "net.app.core.broadcast"

    @RowID var id: Int64
    var type: String
    var owner: Int64
    var created: Int64
    @JSONText var readers = ChannelACL()
    @JSONText var writers = ChannelACL()
    @JSONText var editors = ChannelACL()
    /// The annotations, at most one of each type.
    @JSONText var annotations: [JSONValue] = []
    var isInactive = false
    /// The number of messages that are not deleted.
    var messages = 0
    var recentMessage: Int64?
    /// A sequence number that is set to a new value by every message in the channel.
    var activity: Int64 = 0
    /// The sorted ids of all members of a private conversation.
    var members: String?

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id, type, owner, created, readers, writers, editors, annotations, messages, activity, members
        case isInactive = "is_inactive"
        case recentMessage = "recent_message"
    }

    /// Whether the channel can be read without a token.
    var isPublic: Bool { readers.isPublic }

    /// The name of its marker (Docs/Protocols/AppNet.md §2.3).
    var marker: String { "channel:\(id)" }

    subscript(role: ChannelACL.Role) -> ChannelACL {
        get { self[keyPath: role.property] }
        set { self[keyPath: role.property] = newValue }
    }

    /// Returns whether a user has a role. Editing implies writing, writing implies reading, and the owner has all
    /// roles.
    func allows(_ role: ChannelACL.Role, user: Int64) -> Bool {
        if user == owner { return true }
        let acl = self[role]
        if acl.isForAnyUser || acl.isPublic || acl.users.contains(user) { return true }
        switch role {
        case .readers: return allows(.writers, user: user)
        case .writers: return allows(.editors, user: user)
        case .editors: return false
        }
    }

    /// Whether a token with only the scope `public_messages` can see the channel (Docs/Protocols/AppNet.md §1.2).
    var isReadableByAnyUser: Bool { readers.isPublic || readers.isForAnyUser || writers.isForAnyUser }
}

extension ChannelACL.Role {
    fileprivate var property: WritableKeyPath<AppNetChannel, ChannelACL> {
        switch self {
        case .readers: \.readers
        case .writers: \.writers
        case .editors: \.editors
        }
    }
}
