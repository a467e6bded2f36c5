import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Keys of Cosm that a key may make", .timeLimit(.minutes(5)))
struct KeyCoverageTests {
    static let all = Set(AccessMethod.allCases)

    static func key(
        _ permissions: [AccessPermission] = [AccessPermission(methods: all)],
        private opens: Bool = true,
        until end: String? = nil
    ) -> AccessKey {
        AccessKey(
            secret: "K",
            owner: "ann",
            label: "k",
            expiresAt: end.map(stamp),
            opensPrivate: opens,
            permissions: permissions
        )
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let key: AccessKey
        let other: AccessKey
        let isCovered: Bool
        var testDescription: String { name }

        init(_ name: String, _ key: AccessKey, makes other: AccessKey, _ isCovered: Bool) {
            self.name = name
            self.key = key
            self.other = other
            self.isCovered = isCovered
        }

        /// One permission of all methods for each key.
        static func permission(
            _ name: String,
            _ change: (inout AccessPermission) -> Void,
            makes other: (inout AccessPermission) -> Void,
            _ isCovered: Bool
        ) -> Self {
            var own = AccessPermission(methods: KeyCoverageTests.all)
            var made = AccessPermission(methods: [.get])
            change(&own)
            other(&made)
            return Self(name, KeyCoverageTests.key([own]), makes: KeyCoverageTests.key([made]), isCovered)
        }
    }

    static let end = "2014-01-01T00:00:00Z"
    static let keys: [Case] = [
        Case("a key without limits makes any key", key(), makes: key([], private: false), true),
        Case("an expiry is not left out", key(until: end), makes: key(), false),
        Case("an expiry is not extended", key(until: end), makes: key(until: "2014-01-01T00:00:01Z"), false),
        Case("an expiry is kept", key(until: end), makes: key(until: end), true),
        Case("private access is not added", key(private: false), makes: key(), false),
        Case("private access is left out", key(until: end), makes: key(private: false, until: end), true),
        Case("an abbreviated key is not covered", key(until: end), makes: key([], until: end), false),
        Case(
            "a method is not added",
            key([AccessPermission(methods: [.get, .put, .post])]),
            makes: key([AccessPermission(methods: [.delete])]),
            false
        ),
        Case(
            "methods of several permissions are joined",
            key([AccessPermission(methods: [.get]), AccessPermission(methods: [.put])], until: end),
            makes: key([AccessPermission(methods: [.get, .put])], until: end),
            true
        ),
        Case(
            "the limits of several permissions are not mixed",
            key([
                AccessPermission(methods: [.get], minimumInterval: 60), AccessPermission(methods: [.put]),
            ]),
            makes: key([AccessPermission(methods: [.get, .put], minimumInterval: 30)]),
            false
        ),
        Case(
            "resources of several permissions are joined",
            key([
                AccessPermission(methods: [.get], resources: [.init(feed: 1)]),
                AccessPermission(methods: [.get], resources: [.init(feed: 2)]),
            ]),
            makes: key([
                AccessPermission(methods: [.get], resources: [.init(feed: 2), .init(feed: 1, datastream: "t")])
            ]),
            true
        ),
    ]

    static let permissions: [Case] = [
        .permission("an interval is not left out", { $0.minimumInterval = 60 }, makes: { _ in }, false),
        .permission(
            "an interval is not shortened",
            { $0.minimumInterval = 60 },
            makes: { $0.minimumInterval = 59 },
            false
        ),
        .permission("an interval is lengthened", { $0.minimumInterval = 60 }, makes: { $0.minimumInterval = 61 }, true),
        .permission("resources are not left out", { $0.resources = [.init(feed: 1)] }, makes: { _ in }, false),
        .permission(
            "a resource is not replaced",
            { $0.resources = [.init(feed: 1)] },
            makes: { $0.resources = [.init(feed: 1), .init(feed: 2)] },
            false
        ),
        .permission(
            "a datastream is not widened to its feed",
            { $0.resources = [.init(feed: 1, datastream: "t")] },
            makes: { $0.resources = [.init(feed: 1)] },
            false
        ),
        .permission(
            "a datastream is compared by bytes",
            { $0.resources = [.init(feed: 1, datastream: "K")] },
            makes: { $0.resources = [.init(feed: 1, datastream: "\u{212A}")] },
            false
        ),
        .permission(
            "a trigger of a feed is not the feed",
            { $0.resources = [.init(feed: 1, trigger: 7)] },
            makes: { $0.resources = [.init(feed: 1)] },
            false
        ),
        .permission(
            "a feed is not each trigger that names it",
            { $0.resources = [.init(feed: 1)] },
            makes: { $0.resources = [.init(feed: 1, trigger: 7)] },
            false
        ),
        .permission("an address is not left out", { $0.sourceAddress = "10.0.0.0/8" }, makes: { _ in }, false),
        .permission(
            "a block is narrowed",
            { $0.sourceAddress = "10.0.0.0/8" },
            makes: { $0.sourceAddress = "10.1.0.0/16" },
            true
        ),
        .permission(
            "a block is not widened",
            { $0.sourceAddress = "10.1.0.0/16" },
            makes: { $0.sourceAddress = "10.0.0.0/8" },
            false
        ),
        .permission(
            "a block is not moved",
            { $0.sourceAddress = "10.1.0.0/16" },
            makes: { $0.sourceAddress = "10.2.0.1" },
            false
        ),
        .permission(
            "a malformed block is kept only as it is",
            { $0.sourceAddress = "nonsense" },
            makes: { $0.sourceAddress = "nonsense" },
            true
        ),
        .permission("a page is not left out", { $0.referer = "a.example" }, makes: { _ in }, false),
        .permission(
            "a page is narrowed",
            { $0.referer = "a.example" },
            makes: { $0.referer = "http://a.example/b" },
            true
        ),
        .permission(
            "a scheme is not left out",
            { $0.referer = "http://a.example" },
            makes: { $0.referer = "a.example" },
            false
        ),
        .permission(
            "a site is not replaced",
            { $0.referer = "a.example" },
            makes: { $0.referer = "a.example.net" },
            false
        ),
    ]

    @Test("a key makes only keys that are limited at least as much", arguments: keys + permissions)
    func covers(_ test: Case) { #expect(KeyCoverage(test.key).covers(test.other) == test.isCovered) }

    @Test("a key covers itself, whatever its limits are", arguments: keys + permissions)
    func coversItself(_ test: Case) {
        guard !test.other.permissions.isEmpty else { return }
        #expect(KeyCoverage(test.key).covers(test.key))
        #expect(KeyCoverage(test.other).covers(test.other))
    }

    /// A master key with one of the limits, and the limit.
    static let limits = [
        (#""minimum_interval":60"#, ""), (#""source_ip":"127.0.0.1""#, ""), (#""referer":"a.example""#, ""),
        ("", #","expires_at":"2100-01-01T00:00:00Z""#),
    ]

    private static func body(_ permission: String, _ validity: String) -> String {
        let permission = permission.isEmpty ? "" : ",\(permission)"
        return #"{"key":{"label":"limited","private_access":true\#(validity),"permissions":"#
            + #"[{"access_methods":["get","put","post","delete"]\#(permission)}]}}"#
    }

    @Test("a master key with a limit makes, reads, lists and changes only keys that have it too", arguments: limits)
    func overHTTP(_ permission: String, _ validity: String) async throws {
        try await withCosm { peer in
            let limited = Self.body(permission, validity)
            let whole = Self.body("", "")
            let secret = try await peer.createKey(limited)
            let other = try await peer.createKey(whole)
            func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> RawAnswer {
                let fields = [("X-ApiKey", secret), ("Referer", "http://a.example/")]
                return try await peer.send(method, path, body, fields: fields, hasKey: false)
            }
            let refused = try await send("POST", "/keys", whole)
            #expect(refused.status == 403)
            #expect(refused.errors == CosmFailure.exceedsLimits.errors)
            let made = try await send("POST", "/keys", limited)
            #expect(made.status == 201)
            let own = try #require(made.location)
            #expect(try await send("GET", "/keys/\(own)").status == 200)
            #expect(try await send("PUT", "/keys/\(own)", whole).status == 403)
            #expect(try await send("PUT", "/keys/\(secret)", whole).status == 403)
            #expect(try await send("PUT", "/keys/\(own)", limited).status == 200)
            for hidden in [other, peer.key] {
                #expect(try await send("GET", "/keys/\(hidden)").status == 404)
                #expect(try await send("PUT", "/keys/\(hidden)", limited).status == 404)
                #expect(try await send("DELETE", "/keys/\(hidden)").status == 404)
            }
            let listed = try await send("GET", "/keys")
            let secrets = listed.document?["keys"]?.arrayValue?.compactMap { $0["api_key"]?.stringValue }
            #expect(secrets == [secret, own])
            // An account is shown with its key.
            #expect(try await send("GET", "/users/helium").status == 403)
            #expect(try await send("GET", "/users").status == 403)
            #expect(try await send("POST", "/users", #"{"user":{"login":"ann"}}"#).status == 403)
            #expect(try await send("DELETE", "/keys/\(own)").status == 200)
        }
    }

    @Test("a list in which a key has no room shows it without permissions, also to a key with a limit")
    func fullList() async throws {
        try await withCosm {
            $0.maxima.answerBytes = 4_000
        } _: { peer async throws in
            let secret = try await peer.createKey(Self.body(#""minimum_interval":60"#, ""))
            let limited = CosmPeer(peer.running, key: secret)
            let resources = (1...300).map { #"{"feed_id":\#($0)}"# }.joined(separator: ",")
            let large = try await peer.createKey(
                #"{"key":{"label":"large","permissions":[{"access_methods":["get"],"minimum_interval":60,"resources":[\#(resources)]}]}}"#
            )
            #expect(try await peer.get("/keys").text.contains(large))
            let list = try await limited.get("/keys")
            let keys = list.document?["keys"]?.arrayValue ?? []
            #expect(keys.map { $0["api_key"]?.stringValue } == [secret, large])
            #expect(keys.map { $0["permissions"]?.arrayValue?.count } == [1, 0])
            #expect(try await limited.get("/keys/\(large)").status == 200)
        }
    }
}
