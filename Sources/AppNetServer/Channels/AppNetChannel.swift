internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A channel as the store keeps it (§3.2).
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
    /// One of each type.
    @JSONText var annotations: [JSONValue] = []
    var isInactive = false
    /// How many messages there are that are not deleted.
    var messages = 0
    var recentMessage: Int64?
    /// Grows with every message of any channel.
    var activity: Int64 = 0
    /// The sorted ids of all members of a private conversation.
    var members: String?

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id, type, owner, created, readers, writers, editors, annotations, messages, activity, members
        case isInactive = "is_inactive"
        case recentMessage = "recent_message"
    }

    /// Whether everybody can read it, with or without a token.
    var isPublic: Bool { readers.isPublic }

    /// The name of its marker (§2.3).
    var marker: String { "channel:\(id)" }

    subscript(role: ChannelACL.Role) -> ChannelACL {
        get { self[keyPath: role.property] }
        set { self[keyPath: role.property] = newValue }
    }

    /// Whether a user has a role: editing implies writing implies reading, and the owner has every right.
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

    /// Whether a token with no more than `public_messages` is enough to see it (§1.2).
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
