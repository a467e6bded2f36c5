@testable import AppNetServer

/// The callers of the table of rights. All objects belong to `owner`; the room is a private channel, and the letters are
/// a private conversation of `owner` and `blocked`.
enum RightsReader: String, CaseIterable, Sendable {
    case owner
    /// A writer of the room, who responded to the private poll.
    case writer
    /// A former reader of the room, who is still subscribed to it.
    case removed
    /// A user without a relation to the owner.
    case other
    /// A user who is blocked by the owner.
    case blocked
    /// A user who is muted by the owner.
    case muted
    /// The owner with a token that has only the scopes `basic` and `public_messages`.
    case narrow
    /// The owner with a token that has only the scope `basic`.
    case bare
    /// The owner with a revoked token.
    case revoked
    /// The app to which all users gave their tokens.
    case app
    /// An app to which no user gave a token.
    case otherApp
    case anonymous

    /// The scopes of the token; `nil` for apps and without a token.
    private var scopes: Set<AppNetScope>? {
        switch self {
        case .owner, .writer, .removed, .other, .blocked, .muted, .revoked: .all
        case .narrow: [.basic, .publicMessages]
        case .bare: [.basic]
        case .app, .otherApp, .anonymous: nil
        }
    }

    /// Returns the status with which the kind of token alone is refused by a route; `nil` if it is not refused.
    func refusal(by route: AppNetRoute) -> Int? {
        guard [.api, .pnut, .live].contains(route.area) else { return nil }
        if self == .revoked { return 401 }
        switch (route.access, self) {
        case (.user, .anonymous), (.app, .anonymous), (.any, .anonymous): return 401
        case (.user, .app), (.user, .otherApp): return 403
        case (.app, _) where scopes != nil: return 403
        default: break
        }
        guard let scopes, !route.scopes.isEmpty else { return nil }
        return route.scopes.isDisjoint(with: scopes) ? 403 : nil
    }
}

/// A text that only some readers may find in a response.
struct RightsSecret: Sendable {
    let name: String
    let readers: Set<RightsReader>

    var text: String { "hidden-\(name)-\(name.count)f7" }

    static let room = Self(name: "room", readers: [.owner, .writer, .app])
    static let title = Self(name: "title", readers: [.owner, .writer, .app])
    static let letter = Self(name: "letter", readers: [.owner, .blocked, .app])
    /// A private message that the owner has written.
    static let reply = Self(name: "reply", readers: [.owner, .blocked, .app])
    static let file = Self(name: "file", readers: [.owner])
    static let filter = Self(name: "filter", readers: [.owner, .narrow, .bare, .app])
    static let poll = Self(name: "poll", readers: [.owner, .writer])
    static let note = Self(name: "note", readers: [.owner, .narrow, .bare])
    static let presence = Self(name: "presence", readers: [.owner, .writer])
    static let stream = Self(name: "stream", readers: [.app])

    static let all = [room, title, letter, reply, file, filter, poll, note, presence, stream]
}
