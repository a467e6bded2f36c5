import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Polls of pnut.io", .timeLimit(.minutes(5)))
struct PnutPollTests {
    private static let draft: TestJSON = [
        "type": "com.example.poll", "prompt": "Do you like \n tea?", "duration": "60", "is_anonymous": "false",
        "options": [["text": "Yes"], ["text": "Of  course"], ["text": "No"]],
    ]

    private static func changed(_ name: String, _ value: TestJSON?) -> TestJSON {
        var draft = draft
        draft[name] = value
        return draft
    }

    /// Creates the sample poll, and returns its id and the path that takes responses of other users.
    private static func create(_ visitor: AppNetVisitor) async throws -> (id: String, response: String) {
        let made = try await visitor.post("polls", draft)
        let id = try #require(made["id"]?.stringValue, "\(made.text)")
        let token = try #require(made["poll_token"]?.stringValue)
        return (id, "polls/\(id)/response?poll_token=\(token)")
    }

    @Test("a poll is created with its author and its options, and not with counts of responses")
    func creation() async throws {
        try await withPnut { alice, _ in
            let made = try await alice.post("polls", Self.draft)
            #expect(made.status == 201, "\(made.text)")
            #expect(made["prompt"] == "Do you like tea?" && made["max_options"] == .integer(1))
            #expect(made["is_public"] == .bool(false) && made["is_anonymous"] == .bool(false))
            #expect(made["user", "username"] == "alice" && made["source", "id"] == "helium")
            let texts = made["options"]?.arrayValue?.map { $0["text"] }
            #expect(texts == ["Yes", "Of course", "No"])
            #expect(made["options"]?.arrayValue?.first?["respondents"] == nil)
        }
    }

    @Test("a private poll is shown to other users with its token only")
    func token() async throws {
        try await withPnut { alice, bob in
            let made = try await alice.post("polls", Self.draft)
            let id = try #require(made["id"]?.stringValue)
            let token = try #require(made["poll_token"]?.stringValue)
            #expect(try await bob.get("polls/\(id)").status == 404)
            #expect(try await bob.get("polls/\(id)?poll_token=\(token)x").status == 404)
            let open = try await bob.get("polls/\(id)?poll_token=\(token)")
            #expect(open.status == 200 && open["poll_token"] == .string(token))
            #expect(try await bob.get("polls?ids=\(id),99&poll_token_\(id)=\(token)").ids == [id])
        }
    }

    @Test("a response to a poll marks the chosen option, and may be changed without the poll's token")
    func response() async throws {
        try await withPnut { alice, bob in
            let poll = try await Self.create(alice)
            let answered = try await bob.send("PUT", poll.response, json: ["positions": [3]])
            #expect(answered.status == 200, "\(answered.text)")
            #expect(
                answered["options"]?.arrayValue?.map { $0["is_your_response"] }
                    == [false, false, true].map(TestJSON.bool)
            )
            #expect(answered["options"]?.arrayValue?.first?["respondents"] == nil)
            // A user who responded sees the poll from then on.
            #expect(try await bob.send("PUT", "polls/\(poll.id)/response/2", json: [:]).status == 200)
        }
    }

    @Test(
        "a response to a poll with too many, unknown or repeated options is refused",
        arguments: [[1, 2], [0], [4], ["x"], [2, 2], "2", .null] as [TestJSON]
    )
    func invalidResponse(positions: TestJSON) async throws {
        try await withPnut { alice, bob in
            let poll = try await Self.create(alice)
            let refused = try await bob.send("PUT", poll.response, json: ["positions": positions])
            #expect(refused.status == 400, "\(positions.text)")
        }
    }

    @Test("a poll's author sees a response among his interactions, in pnut.io's dialect only")
    func interactions() async throws {
        try await withPnut { alice, bob in
            let poll = try await Self.create(alice)
            for position in [3, 2] {
                _ = try await bob.send("PUT", poll.response, json: ["positions": [.count(position)]])
            }
            let actions = try await alice.get("users/me/interactions").json?["data"]?.arrayValue
            #expect(actions?.map { $0["action"] } == ["poll_response"])
            #expect(actions?.first?["objects"]?.arrayValue?.first?["id"] == .string(poll.id))
            #expect(try await alice.onAppNet.get("users/me/interactions").json?["data"] == [])
        }
    }

    @Test("a closed poll takes no responses, and shows who chose each option last")
    func closing() async throws {
        try await withPnut { alice, bob in
            let poll = try await Self.create(alice)
            for position in [3, 2] {
                _ = try await bob.send("PUT", poll.response, json: ["positions": [.count(position)]])
            }
            alice.running.appNet.setClockOffset(.seconds(3601))
            #expect(try await bob.send("PUT", poll.response, json: ["positions": [1]]).status == 400)
            let closed = try await alice.get("polls/\(poll.id)")
            #expect(closed["options"]?.arrayValue?.map { $0["respondents"] } == [0, 1, 0].map(TestJSON.count))
            #expect(closed["options"]?.arrayValue?[1]["respondent_ids"] == ["2"])
        }
    }

    @Test("a poll is deleted by its author only, and its responses leave the author's interactions")
    func deletion() async throws {
        try await withPnut { alice, bob in
            let poll = try await Self.create(alice)
            _ = try await bob.send("PUT", poll.response, json: ["positions": [2]])
            #expect(try await bob.delete("polls/\(poll.id)").status == 403)
            #expect(try await alice.delete("polls/\(poll.id)")["is_deleted"] == .bool(true))
            #expect(try await alice.get("polls/\(poll.id)").status == 404)
            #expect(try await alice.get("users/me/interactions").json?["data"] == [])
        }
    }

    @Test(
        "a poll with a missing or invalid member is refused",
        arguments: [
            ("type", nil), ("type", "poll"), ("prompt", " "), ("prompt", .string(String(repeating: "x", count: 257))),
            ("options", [["text": "a"]]), ("options", .array(Array(repeating: ["text": "a"], count: 11))),
            ("options", [["text": "a"], ["text": .string(String(repeating: "x", count: 65))]]),
            ("options", [["text": "a", "position": 1], ["text": "b", "position": 1]]), ("options", nil),
            ("duration", nil), ("duration", 0), ("duration", 20161), ("duration", "soon"), ("max_options", 4),
            ("max_options", 0),
        ] as [(String, TestJSON?)]
    )
    func refusals(name: String, value: TestJSON?) async throws {
        try await withPnut { alice, _ in
            let refused = try await alice.post("polls", Self.changed(name, value))
            #expect(refused.status == 400, "\(refused.text)")
        }
    }

    @Test("a poll's options are in the order of their positions, and max_options of them may be chosen")
    func positions() async throws {
        try await withPnut { alice, _ in
            let options: TestJSON = [
                ["text": "c", "position": 3], ["text": "a", "position": 1], ["text": "b", "position": 2],
            ]
            var draft = Self.changed("options", options)
            draft["max_options"] = 2
            let made = try await alice.post("polls", draft)
            #expect(made["options"]?.arrayValue?.map { $0["text"] } == ["a", "b", "c"])
            let id = try #require(made["id"]?.stringValue)
            let answered = try await alice.send("PUT", "polls/\(id)/response", json: ["positions": [3, 1]])
            #expect(
                answered["options"]?.arrayValue?.map { $0["is_your_response"] }
                    == [true, false, true].map(TestJSON.bool)
            )
            let cleared = try await alice.send("PUT", "polls/\(id)/response", json: ["positions": []])
            #expect(cleared["options"]?.arrayValue?.allSatisfy { $0["is_your_response"] == .bool(false) } == true)
        }
    }

    /// Creates two public polls and a private one of other types and durations, and returns their ids.
    private static func createThree(_ visitor: AppNetVisitor) async throws -> [String] {
        var ids: [String] = []
        for (type, isPublic, minutes) in [("a.b", true, 9), ("a.c", true, 5), ("a.b", false, 7)] {
            var draft = changed("type", .string(type))
            draft["is_public"] = .bool(isPublic)
            draft["duration"] = .count(minutes)
            let made = try await visitor.post("polls", draft)
            ids.append(try #require(made["id"]?.stringValue, "\(made.text)"))
        }
        return ids
    }

    @Test("the list of a user's own polls is newest first, and filtered by type, privacy and end")
    func ownList() async throws {
        try await withPnut { alice, _ in
            let ids = try await Self.createThree(alice)
            #expect(try await alice.get("users/me/polls").ids == ids.reversed())
            #expect(try await alice.get("users/me/polls?include_private=0&poll_types=a.b").ids == [ids[0]])
            #expect(try await alice.get("users/me/polls?exclude_poll_types=a.b").ids == [ids[1]])
            #expect(try await alice.get("users/me/polls?count=1").meta?["more"] == .bool(true))
            alice.running.appNet.setClockOffset(.seconds(6 * 60))
            #expect(try await alice.get("users/me/polls?include_closed=0").ids == [ids[2], ids[0]])
        }
    }

    @Test("a search for polls reads only those that may match, up to the limit")
    func searchLimit() async throws {
        try await withPnut { alice, bob in
            var ids: [String] = []
            for prompt in ["Tea or coffee?", "Cats or dogs?", "Sea or mountains?", "Train or bus?"] {
                var draft = Self.changed("prompt", .string(prompt))
                draft["is_public"] = .bool(true)
                let made = try await alice.post("polls", draft)
                ids.append(try #require(made["id"]?.stringValue, "\(made.text)"))
            }
            let table = alice.running.server[AppNetService.self].state.store
            func found(_ query: String) async throws -> [Int64] {
                let search = try PollSearch(FormFields(query: query[...]))
                return try await table.read { database in
                    let window = PageWindow(isAscending: false, limit: 10)
                    return try PollTable(database: database).polls(search, now: 0, window, byEnd: false).map(\.id)
                }
            }
            #expect(try await found("q=coffee").map(String.init) == [ids[0]])
            #expect(try await found("q=or").count == 4)
            #expect(try await found("creator_id=2").isEmpty)
            #expect(try await alice.delete("polls/\(ids[0])").status == 200)
            #expect(try await found("q=coffee").isEmpty)
            #expect(try await bob.get("polls/search?q=dogs").ids == [ids[1]])
        }
    }

    @Test("the search for polls finds the polls that the caller sees, by author, text, end and order")
    func search() async throws {
        try await withPnut { alice, bob in
            let ids = try await Self.createThree(alice)
            #expect(try await bob.get("polls/search").ids == [ids[1], ids[0]])
            #expect(try await bob.get("polls/search?order=closed_at").ids == [ids[0], ids[1]])
            #expect(try await alice.get("polls/search?is_public=0").ids == [ids[2]])
            #expect(try await bob.get("polls/search?creator_id=2").ids == [])
            #expect(try await bob.get("polls/search?q=coffee").ids == [])
            #expect(try await bob.get("polls/search?order=x").status == 400)
            alice.running.appNet.setClockOffset(.seconds(6 * 60))
            #expect(try await bob.get("polls/search?is_closed=1").ids == [ids[1]])
        }
    }

    @Test("polls are found by the caller's responses, and listed for their author by those of others")
    func responses() async throws {
        try await withPnut { alice, bob in
            let ids = try await Self.createThree(alice)
            #expect(try await bob.send("PUT", "polls/\(ids[0])/response", json: ["positions": [1]]).status == 200)
            #expect(try await bob.get("polls/search?you_responded=1").ids == [ids[0]])
            #expect(try await bob.get("polls/search?you_responded=0").ids == [ids[1]])
            #expect(try await alice.get("users/me/polls/responses").ids == [ids[0]])
            #expect(try await alice.get("users/me/polls/responses?ids=\(ids[1])").ids == [])
            #expect(try await bob.get("users/me/polls/responses").ids == [])
        }
    }

    @Test("a post with a poll's token in its raw data shows the poll, also a private one")
    func attached() async throws {
        try await withPnut { alice, bob in
            let made = try await alice.post("polls", Self.draft)
            let (id, token) = (made["id"] ?? .null, made["poll_token"] ?? .null)
            func body(_ reference: TestJSON, _ key: String = "+io.pnut.core.poll") -> TestJSON {
                let value = TestJSON.object([key: reference, "mine": 1])
                return ["text": "see", "raw": ["io.pnut.core.poll-notice": [value]]]
            }
            let reference: TestJSON = ["poll_id": id, "poll_token": token]
            let post = try await alice.post("posts?include_raw=1", body(reference))
            let notice = try #require(post["raw", "io.pnut.core.poll-notice"]?.arrayValue?.first, "\(post.text)")
            #expect(notice["poll_id"] == id && notice["poll_token"] == token && notice["mine"] == .integer(1))
            #expect(notice["prompt"] == "Do you like tea?" && notice["options"]?.arrayValue?.count == 3)
            for wrong: TestJSON in [["poll_id": id, "poll_token": "x"], ["poll_id": "99", "poll_token": token], [:]] {
                #expect(try await bob.post("posts", body(wrong)).status == 400, "\(wrong.text)")
            }
            #expect(
                try await bob.post("posts", ["text": "a", "raw": ["io.pnut.core.poll-notice": [[:]]]]).status == 400
            )
            let appNet: TestJSON = [
                "text": "a", "annotations": [["type": "a.b", "value": ["+net.app.core.poll": reference]]],
            ]
            #expect(try await alice.onAppNet.post("posts", appNet).status == 400)
            _ = try await alice.delete("polls/\(id.stringValue ?? "")")
            let later = try await bob.get("posts/\(post["id"]?.stringValue ?? "")?include_raw=1")
            #expect(later["raw", "io.pnut.core.poll-notice"]?.arrayValue?.first?["prompt"] == nil)
        }
    }

    @Test("app streams have an event for a poll's creation, a user's first response and the deletion")
    func events() async throws {
        try await withPnut { alice, bob in
            let app = alice.asApp
            _ = try await app.post("streams", ["object_types": ["poll", "user_presence"], "key": "polls"])
            let path = "/v1/app?access_token=\(app.token ?? "")&key=polls"
            let socket = SocketClient(socket: try await WebSocketClient(alice, path: path), connectionID: "")
            /// The next frame of a type; others are read over.
            func frame(_ type: TestJSON) async throws -> TestJSON {
                while true {
                    let frame = try await socket.frame()
                    if frame["meta"]?["type"] == type { return frame }
                }
            }
            var draft = Self.draft
            draft["is_public"] = true
            let id = try #require(try await alice.post("polls", draft)["id"]?.stringValue)
            let created = try await frame("poll")
            #expect(created["meta"]?["id"] == .string(id), "\(created.text)")
            #expect(created["data"]?["poll"]?["prompt"] == "Do you like tea?")
            #expect(created["data"]?["poll"]?["poll_token"] == nil)
            #expect(created["data"]?["user"]?["username"] == "alice")
            for position in [1, 2] {
                _ = try await bob.send("PUT", "polls/\(id)/response", json: ["positions": [.count(position)]])
            }
            _ = try await alice.delete("polls/\(id)")
            #expect(try await frame("poll")["data"]?["user"]?["username"] == "bob")
            #expect(try await frame("poll")["meta"]?["is_deleted"] == .bool(true))
            _ = try await bob.send("PUT", "users/me/presence", json: ["presence": "tea"])
            #expect(try await frame("user_presence")["data"]?["presence"] == "tea")
            #expect(try await app.post("streams/polls/test", [:]).status == 200)
            #expect(try await frame("test")["meta"]?["timestamp"] != nil)
        }
    }
}
