import HeliumServer
import HeliumServerTesting
import ServerSupport

@testable import AppNetServer
@testable import HeliumServerKit

/// A server with a secret in every private object, and the readers of the table of rights.
struct RightsWorld: Sendable {
    let peers: [RightsReader: AppNetPeer]
    /// The ids of the objects, by the words of the table's paths.
    private(set) var ids: [String: String] = [:]

    /// The tokens of all readers, which no response may contain.
    var tokens: [String] { peers.values.compactMap(\.token) }

    func peer(_ reader: RightsReader) throws -> AppNetPeer {
        guard let peer = peers[reader] else { throw RawConnection.Failure.malformed("no \(reader)") }
        return peer
    }

    /// Returns a text of the table with the ids in the places of their words.
    func filled(_ text: String) -> String { ids.reduce(text) { $0.replacing($1.key, with: $1.value) } }

    /// Runs `body` with a new world.
    static func make(_ body: (RightsWorld) async throws -> Void) async throws {
        let users = ["alice", "bob", "carol", "dave", "erin", "frank"].map { AppNetAccounts.User(name: $0) }
        var other = AppNetAccounts.App(clientID: "other")
        other.tokens = ["token-of-the-other-app"]
        let accounts = AppNetAccounts(users: users, apps: AppNetAccounts.standard.apps + [other])
        try await withAppNet({ $0.accounts = accounts }) { alice in
            let control = alice.running.appNet
            for (secret, scopes) in [
                ("token-with-few-scopes", [.basic, .publicMessages]), ("token-with-one-scope", [.basic]),
                ("token-that-is-revoked", .all),
            ] as [(String, Set<AppNetScope>)] {
                _ = try await control.state.store.write { database in
                    let client = control.state.store.credentials.clientID
                    try AppNetTokenTable(database: database).insert(
                        AppNetToken(id: 0, secret: secret, user: 1, client: client, scopes: scopes, created: 0)
                    )
                } publish: { _, _ in
                }
            }
            try await control.setToken("token-that-is-revoked", .revoked)
            var world = RightsWorld(peers: [
                .owner: alice, .writer: alice.user(1), .removed: alice.user(2), .other: alice.user(3),
                .blocked: alice.user(4), .muted: alice.user(5), .narrow: alice.with("token-with-few-scopes"),
                .bare: alice.with("token-with-one-scope"), .revoked: alice.with("token-that-is-revoked"),
                .app: alice.app, .otherApp: alice.with("token-of-the-other-app"), .anonymous: alice.anonymous,
            ])
            try await world.addChannels()
            try await world.addObjects()
            try await body(world)
        }
    }

    private mutating func note(_ word: String, _ id: TestJSON?) throws {
        guard let id = id?.stringValue else { throw RawConnection.Failure.malformed("no \(word)") }
        ids[word] = id
    }

    private mutating func addChannels() async throws {
        let (alice, bob, erin) = (try peer(.owner), try peer(.writer), try peer(.blocked))
        let title = #"[{"type":"com.example.title","value":{"text":"\#(RightsSecret.title.text)"}}]"#
        let acls = #""readers":{"user_ids":["3"]},"writers":{"user_ids":["2"]}"#
        let room = try await alice.createChannel(#"{"type":"com.example.room",\#(acls),"annotations":\#(title)}"#)
        ids["ROOM"] = room
        try await peer(.removed).post("channels/\(room)/subscribe")
        ids["LINE"] = try await bob.createMessage(RightsSecret.room.text, in: room)
        try await alice.data("PATCH", "channels/\(room)", #"{"readers":{"user_ids":[]}}"#)
        let presence = #"{"presence":"\#(RightsSecret.presence.text)"}"#
        try await bob.data("PUT", "/v1/users/me/presence/channels/\(room)", presence)
        ids["HALL"] = try await alice.createChannel(
            #"{"type":"com.example.hall","readers":{"public":true},"writers":{"any_user":true}}"#
        )
        let letter = #"{"text":"\#(RightsSecret.letter.text)","destinations":["@alice"]}"#
        try note("LETTERS", try await erin.post("channels/pm/messages", letter)["channel_id"])
        ids["REPLY"] = try await alice.createMessage(RightsSecret.reply.text, in: ids["LETTERS"] ?? "")
        try await alice.post("users/5/block")
        try await alice.post("users/6/mute")
    }

    private mutating func addObjects() async throws {
        let (alice, app) = (try peer(.owner), try peer(.app))
        ids["POSTED"] = try await alice.post("posts", #"{"text":"a #tag"}"#)["id"]?.stringValue
        try await alice.data("PUT", "/v1/posts/1/bookmark", #"{"note":"\#(RightsSecret.note.text)"}"#)
        let parts = [
            FormPart("type", "com.example.paper"), FormPart("name", RightsSecret.file.text),
            FormPart("content", "the content", file: "a.txt", type: "text/plain"),
        ]
        let visitor = AppNetVisitor(running: alice.running, token: alice.token)
        try note("PAPER", try await visitor.multipart("POST", "files", parts)["id"])
        try note("SIEVE", try await alice.post("filters", RightsTable.filter(RightsSecret.filter.text))["id"])
        let stream = #"{"object_types":["post"],"filter_id":"SIEVE","key":"\#(RightsSecret.stream.text)"}"#
        try note("FEED", try await app.post("streams", filled(stream))["id"])
        let poll = RightsTable.poll(RightsSecret.poll.text)
        let ballot = try await alice.send("POST", "/v1/polls", poll).tree["data"]
        try note("BALLOT", ballot?["id"])
        let token = ballot?["poll_token"]?.stringValue ?? ""
        let response = "/v1/polls/\(ids["BALLOT"] ?? "")/response?poll_token=\(token)"
        try await peer(.writer).data("PUT", response, #"{"positions":["1"]}"#)
    }
}
