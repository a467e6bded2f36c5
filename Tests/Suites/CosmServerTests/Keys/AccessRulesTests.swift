import HeliumServer
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Access by a key of Cosm")
struct AccessRulesTests {
    static let now = stamp("2013-06-15T12:00:00Z")
    static let rules = AccessRules(administrator: "root")
    static let publicFeed = AccessTarget.FeedTarget(id: 1, owner: "ann", isPrivate: false)
    static let privateFeed = AccessTarget.FeedTarget(id: 2, owner: "ann", isPrivate: true)
    static let foreign = AccessTarget.FeedTarget(id: 3, owner: "alice", isPrivate: false)
    static let hidden = AccessTarget.FeedTarget(id: 4, owner: "alice", isPrivate: true)

    static func key(_ methods: Set<AccessMethod>, _ resources: [AccessResource] = [], private opens: Bool = false)
        -> AccessKey
    {
        AccessKey(
            secret: "K",
            owner: "ann",
            label: "k",
            opensPrivate: opens,
            permissions: [AccessPermission(methods: methods, resources: resources)]
        )
    }

    static let all = Set(AccessMethod.allCases)
    static let yes = AccessVerdict.granted(minimumInterval: 0)

    struct Case: CustomTestStringConvertible {
        let name: String
        let key: AccessKey
        let method: AccessMethod
        let target: AccessTarget
        let verdict: AccessVerdict
        var testDescription: String { name }

        init(_ name: String, _ key: AccessKey, _ method: AccessMethod, _ target: AccessTarget, _ verdict: AccessVerdict)
        {
            self.name = name
            self.key = key
            self.method = method
            self.target = target
            self.verdict = verdict
        }
    }

    static let trigger = AccessTarget.trigger(id: 7, owner: "ann", feed: 1, datastream: "t")

    @Test(
        "a key of Cosm opens resources by method, resource, owner and privacy",
        arguments: [
            Case("reading a public feed", key([.get]), .get, .feed(publicFeed), yes),
            Case("reading another's public feed", key([.get]), .get, .feed(foreign), yes),
            Case("reading without get", key([.put]), .get, .feed(publicFeed), .forbidden),
            Case("writing an own feed", key([.put]), .put, .feed(publicFeed), yes),
            Case("writing without put", key([.get]), .put, .feed(publicFeed), .forbidden),
            Case("writing another's feed", key(all, private: true), .put, .feed(foreign), .forbidden),
            Case("an own private feed without private access", key(all), .get, .feed(privateFeed), .hidden),
            Case("an own private feed", key(all, private: true), .get, .feed(privateFeed), yes),
            Case("another's private feed", key(all, private: true), .delete, .feed(hidden), .hidden),
            Case("a feed of the list", key([.get], [.init(feed: 1)]), .get, .feed(publicFeed), yes),
            Case(
                "a stream of a feed of the list",
                key([.get], [.init(feed: 1)]),
                .get,
                .datastream(publicFeed, "t"),
                yes
            ),
            Case("a feed off the list", key([.get], [.init(feed: 9)]), .get, .feed(publicFeed), .forbidden),
            Case(
                "a stream of the list",
                key([.put], [.init(feed: 1, datastream: "t")]),
                .put,
                .datastream(publicFeed, "t"),
                yes
            ),
            Case(
                "a stream off the list",
                key([.put], [.init(feed: 1, datastream: "t")]),
                .put,
                .datastream(publicFeed, "u"),
                .forbidden
            ),
            // The Kelvin sign is equal to K for Swift, and another datastream in the store.
            Case(
                "a stream whose id only looks like the one of the list",
                key([.get], [.init(feed: 1, datastream: "K")]),
                .get,
                .datastream(publicFeed, "\u{212A}"),
                .forbidden
            ),
            Case(
                "the feed of a stream of the list",
                key([.get], [.init(feed: 1, datastream: "t")]),
                .get,
                .feed(publicFeed),
                .forbidden
            ),
            Case("a new feed", key([.post]), .post, .newFeed, yes),
            Case("a new feed with a restricted key", key([.post], [.init(feed: 1)]), .post, .newFeed, .forbidden),
            Case("a list with a restricted key", key([.get], [.init(feed: 1)]), .get, .account, yes),
            Case("an own trigger", key([.get]), .get, trigger, yes),
            Case("a trigger by its feed", key([.get], [.init(feed: 1)]), .get, trigger, yes),
            Case("a trigger by its id", key([.get], [.init(trigger: 7)]), .get, trigger, yes),
            Case(
                "the feed of a trigger of the list",
                key([.get], [.init(feed: 1, trigger: 5)]),
                .get,
                .feed(publicFeed),
                .forbidden
            ),
            Case(
                "a datastream of a trigger of the list",
                key([.get], [.init(feed: 1, datastream: "t", trigger: 7)]),
                .get,
                .datastream(publicFeed, "t"),
                .forbidden
            ),
            Case("a trigger with its feed", key([.get], [.init(feed: 1, trigger: 7)]), .get, trigger, yes),
            Case("another trigger of the feed", key([.get], [.init(feed: 1, trigger: 8)]), .get, trigger, .forbidden),
            Case("a trigger of another id", key([.get], [.init(trigger: 8)]), .get, trigger, .forbidden),
            Case(
                "another's trigger",
                key(all, private: true),
                .get,
                .trigger(id: 8, owner: "alice", feed: 1, datastream: "t"),
                .hidden
            ),
            Case("the keys with a master key", key(all, private: true), .get, .keys, yes),
            Case("the keys without private access", key(all), .get, .keys, .forbidden),
            Case("the keys with a restricted key", key(all, [.init(feed: 1)], private: true), .get, .keys, .forbidden),
            Case("the keys without delete", key([.get, .put, .post], private: true), .post, .keys, .forbidden),
            Case("itself", key([.put]), .get, .ownKey, yes),
            Case("deleting itself", key([.delete]), .delete, .ownKey, .forbidden),
            Case("the users", key(all, private: true), .get, .users, .forbidden),
            Case("its own user", key(all, private: true), .get, .user("ann"), yes),
            Case("another user", key(all, private: true), .get, .user("alice"), .hidden),
        ]
    )
    func verdicts(_ test: Case) {
        let question = AccessQuestion(method: test.method, target: test.target, address: "127.0.0.1")
        #expect(Self.rules.verdict(on: question, for: test.key, at: Self.now) == test.verdict)
    }

    @Test("a list of feeds has those that a key may read whole")
    func listed() {
        let key = Self.key([.get], [.init(feed: 1), .init(feed: 2, trigger: 5), .init(feed: 3, datastream: "t")])
        let question = AccessQuestion(method: .get, target: .account, address: "127.0.0.1")
        #expect(Self.rules.listedFeeds(key, question) == [1])
    }

    @Test("the master key of Cosm opens all accounts")
    func administrator() {
        let key = AccessKey.master("K", owner: "root")
        for target in [AccessTarget.users, .user("ann")] {
            let question = AccessQuestion(method: .delete, target: target, address: "127.0.0.1")
            #expect(Self.rules.verdict(on: question, for: key, at: Self.now) == Self.yes)
        }
    }

    @Test(
        "an expired key of Cosm opens nothing",
        arguments: [("2013-06-15T12:00:00Z", false), ("2013-06-15T12:00:01Z", true)]
    )
    func expiry(_ end: String, _ opens: Bool) {
        var key = Self.key([.get])
        key.expiresAt = stamp(end)
        let question = AccessQuestion(method: .get, target: .feed(Self.publicFeed), address: "127.0.0.1")
        #expect(Self.rules.verdict(on: question, for: key, at: Self.now) == (opens ? Self.yes : .expired))
    }

    @Test(
        "a key of Cosm may be limited to an address or a block of addresses",
        arguments: [
            ("128.44.98.129", "128.44.98.129", true), ("128.44.98.129", "128.44.98.130", false),
            ("10.0.0.0/8", "10.9.9.9", true), ("10.0.0.0/8", "11.0.0.1", false), ("nonsense", "10.0.0.1", false),
        ]
    )
    func addresses(_ allowed: String, _ address: String, _ opens: Bool) {
        var key = Self.key([.get])
        key.permissions[0].sourceAddress = allowed
        let question = AccessQuestion(method: .get, target: .feed(Self.publicFeed), address: address)
        #expect(Self.rules.verdict(on: question, for: key, at: Self.now).isGranted == opens)
    }

    @Test(
        "a key of Cosm may be limited to the pages of a site, and then does not open the socket",
        arguments: [
            ("http://xively.com", "http://xively.com", true), ("http://xively.com", "http://xively.com/a?b", true),
            ("http://xively.com", "http://xively.com.evil.example/", false),
            ("xively.com", "https://xively.com/a", true),
            ("http://xively.com/a/", "http://xively.com/a/b", true), ("http://xively.com", nil, false),
            ("http://Xively.com", "HTTP://xively.COM/a", true), ("xively.com", "http://xively.com:80", true),
            ("xively.com", "http://xively.comb", false), ("xively.com", "http://xively", false),
            // A combining mark after the host makes another text of it, and bytes are compared.
            ("xively.com", "http://xively.com\u{301}/", false),
            ("xively.com/\u{E9}", "http://xively.com/e\u{301}", false),
        ]
    )
    func referers(_ allowed: String, _ page: String?, _ opens: Bool) {
        var key = Self.key([.get])
        key.permissions[0].referer = allowed
        let question = AccessQuestion(method: .get, target: .feed(Self.publicFeed), address: "127.0.0.1", referer: page)
        #expect(Self.rules.verdict(on: question, for: key, at: Self.now).isGranted == opens)
    }

    @Test("a key of Cosm opens what one of its permissions opens, with the longest history")
    func severalPermissions() {
        var key = Self.key([.put])
        key.permissions.append(AccessPermission(methods: [.get], minimumInterval: 3600))
        key.permissions.append(AccessPermission(methods: [.get], minimumInterval: 60, resources: [.init(feed: 1)]))
        func verdict(_ feed: AccessTarget.FeedTarget) -> AccessVerdict {
            Self.rules.verdict(
                on: AccessQuestion(method: .get, target: .feed(feed), address: "127.0.0.1"),
                for: key,
                at: Self.now
            )
        }
        #expect(verdict(Self.publicFeed) == .granted(minimumInterval: 60))
        #expect(verdict(Self.foreign) == .granted(minimumInterval: 3600))
    }

    @Test("a key of Cosm is not in its description")
    func hidesItself() {
        var dumped = ""
        var key = Self.key([.get])
        key.secret = "very-secret"
        dump(key, to: &dumped)
        #expect(!(dumped + "\(key)" + String(reflecting: key)).contains("very-secret"))
    }
}
