import Foundation
import HTTPTypes
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

/// Each call of the route table, asked by each kind of key, over HTTP and over both sockets: the status is that of the
/// rights, and no answer has a text that its reader may not see.
@Suite("The table of rights of Cosm", .timeLimit(.minutes(5)), .tags(.random))
struct RightsTableTests {
    /// The clients that are tried: some in `make test`, all in `make prove`.
    static let actors = RightsActor.all.enumerated().filter { index, _ in
        ProofLength.duration != nil || index % 5 == 3 || index == 11
    }.map(\.element)

    @Test("the table of rights has a request for each call of Cosm", arguments: CosmAction.allCases)
    func complete(_ action: CosmAction) throws {
        let rows = RightsRow.rows(for: action, key: "k")
        #expect(!rows.isEmpty)
        for row in rows {
            let path = try #require(ResourcePath(row.path.prefix { $0 != "?" }))
            let route = try #require(CosmRoute(path.segments))
            let method = try #require(HTTPRequest.Method(rawValue: row.method))
            #expect(CosmAction(route, method) == action)
        }
    }

    @Test("every call of Cosm answers a key as its rights say, and shows nothing else", arguments: actors)
    func overHTTP(_ actor: RightsActor) async throws {
        try await withStage(actor) { stage async throws in
            for row in stage.reads where !row.path.contains("?") {
                let answer = try await stage.client.send("GET", row.path + ".xml", hasKey: stage.hasKey)
                check(row, actor, answer.status, answer.text)
            }
            for row in stage.rows {
                let answer = try await stage.client.send(row.method, row.path, row.body, hasKey: stage.hasKey)
                check(row, actor, answer.status, answer.text)
            }
        }
    }

    @Test("every call over raw TCP answers a key as over HTTP", arguments: actors)
    func overTCP(_ actor: RightsActor) async throws { try await overSocket(TCPClient.self, actor) }

    @Test("every call over a WebSocket answers a key as over HTTP", arguments: actors)
    func overWebSocket(_ actor: RightsActor) async throws { try await overSocket(WebSocketClient.self, actor) }

    private func overSocket(_ type: any LiveClient.Type, _ actor: RightsActor) async throws {
        try await withStage(actor) { stage async throws in
            let client = try await type.init(stage.client.running)
            let key = stage.hasKey ? stage.client.key : ""
            try await subscriptions(client, actor, key, stage)
            for row in stage.rows {
                let reply = try await client.ask(row.method, row.path, key: key, token: "t", body: row.body)
                check(row, actor, reply["status"]?.intValue ?? 0, reply.text)
            }
        }
    }

    /// Subscribes to everything, and expects pushes of what the key may read and of nothing else.
    private func subscriptions(
        _ client: any LiveClient,
        _ actor: RightsActor,
        _ key: String,
        _ stage: Stage
    ) async throws {
        var pushed: Set<String> = []
        var texts: Set<String> = []
        for (feed, stream) in [(1, nil), (1, "open"), (2, nil), (2, "secret"), (2, "hidden")] as [(Int, String?)] {
            let resource = "/feeds/\(feed)" + (stream.map { "/datastreams/\($0)" } ?? "")
            let outcome = actor.feed(feed, stream, .get)
            let reply = try await client.ask("subscribe", resource, key: key, token: "s")
            #expect(reply["status"]?.intValue == outcome.rawValue, "\(actor.name): \(resource)")
            guard outcome == .allowed else { continue }
            pushed.insert(resource)
            texts.formUnion(
                stream == nil
                    ? Planted.texts(ofFeed: feed)
                    : stream == "hidden" ? [Planted.hidden] : Planted.texts(ofStreamOf: feed)
            )
        }
        let changes = [
            (1, #"{"datastreams":[{"id":"open","current_value":"\#(Planted.open)"}]}"#),
            (
                2,
                #"{"datastreams":[{"id":"secret","current_value":"\#(Planted.secret)"},"#
                    + #"{"id":"hidden","current_value":"\#(Planted.hidden)"}]}"#
            ),
        ]
        for (feed, body) in changes { #expect(try await stage.owner.put("/feeds/\(feed)", body).status == 200) }
        // Pushes are queued before the response to their write, and therefore before the answer to a later request.
        try await client.send(type(of: client).frame("get", "/nothing", key: key, token: "end"))
        var seen: Set<String> = []
        while true {
            let frame = try await client.receive()
            if frame["token"] == "end" { break }
            seen.insert(frame["resource"]?.stringValue ?? "")
            for text in Planted.all where !texts.contains(text) {
                #expect(!frame.text.contains(text), "\(actor.name): a push has \(text)")
            }
        }
        #expect(seen == pushed, "\(actor.name)")
        for resource in pushed {
            #expect(try await client.ask("unsubscribe", resource, key: key)["status"] == 200)
        }
    }

    private func check(_ row: RightsRow, _ actor: RightsActor, _ status: Int, _ text: String) {
        let outcome = row.outcome(actor)
        let place = "\(actor.name): \(row.method) \(row.path)"
        if outcome == .allowed {
            #expect(status == 200 || status == 201, "\(place): \(text)")
        } else {
            #expect(status == outcome.rawValue, "\(place): \(text)")
        }
        let allowed = outcome == .allowed ? row.shows(actor) : []
        for planted in Planted.all where !allowed.contains(planted) {
            #expect(!text.contains(planted), "\(place) shows \(planted)")
        }
        if row.method == "GET", !allowed.isEmpty {
            #expect(allowed.contains { text.contains($0) }, "\(place) shows none of its texts")
        }
    }
}

extension RightsTableTests {
    /// A server with the resources of the table, and a client.
    struct Stage {
        let client: CosmPeer
        let hasKey: Bool
        let owner: CosmPeer
        /// All requests: first those that keep the resources, then deletions, the smallest first.
        let rows: [RightsRow]

        var reads: [RightsRow] { rows.filter { $0.method == "GET" } }
    }

    private static let deletions: [CosmAction] = [
        .deleteDatapoint, .deleteDatapoints, .deleteTrigger, .deleteDatastream, .deleteFeed, .deleteKey, .deleteUser,
    ]

    private func withStage(_ actor: RightsActor, _ body: (Stage) async throws -> Void) async throws {
        try await withCosm { peer async throws in
            let alice = try await account("alice", peer)
            let bob = try await account("bob", peer)
            try await plant(alice)
            let spare = try await alice.createKey(
                #"{"key":{"label":"\#(Planted.key)","permissions":[{"access_methods":["get"]}]}}"#
            )
            let owners = ["alice": alice, "bob": bob, "helium": peer]
            let owner = try #require(owners[actor.account])
            let key = try await owner.createKey(Self.key(actor))
            if actor.name == "a deleted key" { #expect(try await owner.delete("/keys/\(key)").status == 200) }
            let isUnknown = actor.name == "an unknown key"
            let kept = CosmAction.allCases.filter { !Self.deletions.contains($0) }
            try await body(
                Stage(
                    client: CosmPeer(peer.running, key: isUnknown ? "unknown" : key),
                    hasKey: actor.name != "no key",
                    owner: alice,
                    rows: (kept + Self.deletions).flatMap { RightsRow.rows(for: $0, key: spare) }
                )
            )
        }
    }

    private func account(_ login: String, _ peer: CosmPeer) async throws -> CosmPeer {
        let about = login == "alice" ? Planted.user : "nothing"
        #expect(try await peer.post("/users", #"{"user":{"login":"\#(login)","about":"\#(about)"}}"#).status == 201)
        let user = try await peer.document("/users/\(login)")
        return CosmPeer(peer.running, key: try #require(user["user", "api_key"]?.stringValue))
    }

    private func plant(_ alice: CosmPeer) async throws {
        func stream(_ id: String, _ text: String) -> String {
            #"{"id":"\#(id)","tags":["\#(text)"],"current_value":"\#(text)","at":"2013-01-01T00:00:00Z"}"#
        }
        try await alice.createFeed(
            #"{"title":"\#(Planted.openFeed)","datastreams":[\#(stream("open", Planted.open))]}"#
        )
        let text = Planted.privateFeed
        let location = #"{"name":"\#(text)","disposition":"mobile","lat":1,"lon":2}"#
        let streams = "\(stream("secret", Planted.secret)),\(stream("hidden", Planted.hidden))"
        try await alice.createFeed(
            #"{"title":"\#(text)","description":"\#(text)","website":"\#(text)","email":"\#(text)","icon":"\#(text)","#
                + #""tags":["\#(text)"],"private":true,"location":\#(location),"datastreams":[\#(streams)]}"#
        )
        for (feed, stream, id) in [(1, "open", 1), (2, "secret", 2)] {
            #expect(try await alice.post("/triggers", RightsRow.trigger(feed, stream, id)).status == 201)
        }
    }

    /// Returns the JSON of a client's key.
    private static func key(_ actor: RightsActor) -> String {
        let methods = actor.methods.map { #""\#($0.rawValue)""# }.sorted().joined(separator: ",")
        let resources = actor.scope.map { scope in
            switch scope {
            case .feed(let feed): #"{"feed_id":\#(feed)}"#
            case .stream(let feed, let id): #"{"feed_id":\#(feed),"datastream_id":"\#(id)"}"#
            case .trigger(let id): #"{"datastream_trigger_id":\#(id)}"#
            }
        }
        let list = resources.isEmpty ? "" : #","resources":[\#(resources.joined(separator: ","))]"#
        return #"{"key":{"label":"client","private_access":\#(actor.opensPrivate)\#(actor.validity),"#
            + #""permissions":[{"access_methods":[\#(methods)]\#(list)\#(actor.restriction)}]}}"#
    }
}
