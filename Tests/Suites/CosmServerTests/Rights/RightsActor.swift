import Testing

@testable import CosmServer

/// A client of the table of rights: a key with what it is limited to, or none. All resources of the table belong to
/// `alice`.
struct RightsActor: Sendable, CustomTestStringConvertible {
    enum Scope: Hashable, Sendable {
        case feed(Int)
        case stream(Int, String)
        case trigger(Int)
    }

    /// The right answer to a call.
    enum Outcome: Int, Sendable {
        case allowed = 200
        case unauthorized = 401
        case forbidden = 403
        case hidden = 404
        /// A trigger on a feed that its key may not see is an invalid trigger.
        case invalid = 422
    }

    let name: String
    var account = "alice"
    var methods: Set<AccessMethod> = Set(AccessMethod.allCases)
    var opensPrivate = false
    var scope: [Scope] = []
    /// Whether there is a key that exists and has not expired.
    var isValid = true
    /// Whether the client's address and page are those that the key is limited to.
    var fits = true
    /// Whether the key is limited in another way than by methods, resources and private access.
    var isLimited = false
    /// Further members of the key's permission.
    var restriction = ""
    /// Further members of the key.
    var validity = ""

    var testDescription: String { name }

    static let all: [Self] = [
        Self(name: "no key", isValid: false),
        Self(name: "an unknown key", isValid: false),
        Self(name: "the owner's master key", opensPrivate: true),
        Self(name: "a key of the owner without private access"),
        Self(name: "a key for reading", methods: [.get], opensPrivate: true),
        Self(name: "a key for updating", methods: [.put], opensPrivate: true),
        Self(name: "a key for creating", methods: [.post], opensPrivate: true),
        Self(name: "a key for deleting", methods: [.delete], opensPrivate: true),
        Self(name: "a key for the public feed", opensPrivate: true, scope: [.feed(1)]),
        Self(name: "a key for the private feed", opensPrivate: true, scope: [.feed(2)]),
        Self(name: "a key for a private feed without private access", scope: [.feed(2)]),
        Self(name: "a key for a private datastream", opensPrivate: true, scope: [.stream(2, "secret")]),
        Self(name: "a key for updating one trigger", methods: [.put], opensPrivate: true, scope: [.trigger(1)]),
        Self(name: "another account's master key", account: "bob", opensPrivate: true),
        Self(name: "another account's key for reading", account: "bob", methods: [.get]),
        Self(name: "the administrator's master key", account: "helium", opensPrivate: true),
        Self(
            name: "an expired key",
            opensPrivate: true,
            isValid: false,
            validity: #","expires_at":"2001-01-01T00:00:00Z""#
        ),
        Self(name: "a deleted key", opensPrivate: true, isValid: false),
        Self(
            name: "a key for another address",
            opensPrivate: true,
            fits: false,
            isLimited: true,
            restriction: #","source_ip":"10.0.0.1""#
        ),
        Self(
            name: "a key for another page",
            opensPrivate: true,
            fits: false,
            isLimited: true,
            restriction: #","referer":"http://allowed.example""#
        ),
        Self(
            name: "a master key with a minimum interval",
            opensPrivate: true,
            isLimited: true,
            restriction: #","minimum_interval":1"#
        ),
        Self(
            name: "the administrator's master key for a time",
            account: "helium",
            opensPrivate: true,
            isLimited: true,
            validity: #","expires_at":"2100-01-01T00:00:00Z""#
        ),
    ]
}

// The rules of Docs/Protocols/Cosm.md §7, written a second time: the table does not ask the server's own rules.
extension RightsActor {
    private func covers(_ feed: Int, _ stream: String?) -> Bool {
        scope.isEmpty || scope.contains(.feed(feed)) || (stream.map { scope.contains(.stream(feed, $0)) } ?? false)
    }

    private func has(_ method: AccessMethod) -> Bool { fits && methods.contains(method) }

    private var isMaster: Bool { opensPrivate && scope.isEmpty && fits && methods.count == 4 }

    private func decide(_ outcome: Outcome) -> Outcome { isValid ? outcome : .unauthorized }

    /// An access to a feed, or to one of its datastreams. Feed 2 is private.
    func feed(_ id: Int, _ stream: String?, _ method: AccessMethod) -> Outcome {
        if id == 2, account != "alice" || !opensPrivate { return decide(.hidden) }
        if method != .get, account != "alice" { return decide(.forbidden) }
        return decide(has(method) && covers(id, stream) ? .allowed : .forbidden)
    }

    func list() -> Outcome { decide(has(.get) ? .allowed : .forbidden) }

    func newFeed() -> Outcome { decide(has(.post) && scope.isEmpty ? .allowed : .forbidden) }

    /// An access to trigger 1, on the public feed's datastream `open`, or 2, on the private one's `secret`.
    func trigger(_ id: Int, _ method: AccessMethod) -> Outcome {
        if account != "alice" || (id == 2 && !opensPrivate) { return decide(.hidden) }
        let isCovered = covers(id, id == 1 ? "open" : "secret") || scope.contains(.trigger(id))
        return decide(has(method) && isCovered ? .allowed : .forbidden)
    }

    /// A change of trigger 1 or 2 to watch a datastream.
    func change(_ id: Int, toWatch feed: Int, _ stream: String) -> Outcome {
        let access = trigger(id, .put)
        guard access == .allowed else { return access }
        guard covers(feed, stream) || scope.contains(.trigger(id)) else { return .forbidden }
        return watch(feed, stream)
    }

    func newTrigger(on feed: Int, _ stream: String) -> Outcome {
        guard isValid else { return .unauthorized }
        guard has(.post), covers(feed, stream) else { return .forbidden }
        return watch(feed, stream)
    }

    private func watch(_ feed: Int, _ stream: String) -> Outcome {
        let reading = self.feed(feed, stream, .get)
        return reading == .hidden ? .invalid : reading
    }

    func keys() -> Outcome { decide(isMaster ? .allowed : .forbidden) }

    /// The creation of a key without limits.
    func newKey() -> Outcome { decide(isMaster && !isLimited ? .allowed : .forbidden) }

    /// Whether the client may see a key of `alice` without limits that is not its own.
    var seesOtherKeys: Bool { account == "alice" && !isLimited }

    /// An access to such a key.
    func otherKey() -> Outcome {
        guard isMaster else { return decide(.forbidden) }
        return decide(seesOtherKeys ? .allowed : .hidden)
    }

    func users() -> Outcome { decide(isMaster && !isLimited && account == "helium" ? .allowed : .forbidden) }

    func user(_ login: String, _ method: AccessMethod) -> Outcome {
        guard isMaster, !isLimited else { return decide(.forbidden) }
        if account == "helium" { return decide(.allowed) }
        return decide(account == login && method != .delete ? .allowed : .hidden)
    }
}
