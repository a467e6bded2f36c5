import HeliumServer
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Readers of App.net's channels and polls", .timeLimit(.minutes(5)))
struct ChannelReaderTests {
    @Test("a token without the scope messages finds no private conversation and nothing of its messages")
    func narrowScope() async throws {
        try await RightsWorld.make { world in
            let narrow = try world.peer(.narrow)
            for path in [
                "/v1/users/me/channels/existing_pm?ids=@alice,@erin&include_recent_message=1",
                world.filled("channels/LETTERS?include_recent_message=1"),
            ] {
                let answer = try await narrow.send("GET", path)
                #expect(answer.status == 403 && !answer.text.contains(RightsSecret.letter.text), "\(answer.text)")
            }
        }
    }

    @Test("a user without access to a channel leaves it, and gets nothing but the end of the subscription")
    func leaving() async throws {
        try await RightsWorld.make { world in
            let path = world.filled("channels/ROOM/subscribe?include_recent_message=1&include_annotations=1")
            for reader in [RightsReader.narrow, .removed] {
                let answer = try await world.peer(reader).send("DELETE", path)
                #expect(answer.status == 200, "\(answer.text)")
                let data = answer.tree["data"]
                #expect(Set(data?.names ?? []) == ["id", "type", "you_subscribed"], "\(answer.text)")
                #expect(data?["you_subscribed"] == .bool(false))
            }
            #expect(try await world.peer(.removed).send("DELETE", path).status == 404)
        }
    }

    @Test("an editor who gives up a channel gets nothing of what is hidden then, and the change is stored")
    func givingUp() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            let channel = try await alice.createChannel(
                #"{"type":"com.example.room","editors":{"user_ids":["2"]}}"#
            )
            try await alice.createMessage("for editors", in: channel)
            let body = #"{"editors":{"user_ids":[]}}"#
            let answer = try await bob.send("PUT", "channels/\(channel)?include_recent_message=1", body)
            #expect(answer.status == 200 && !answer.text.contains("for editors"), "\(answer.text)")
            #expect(try await bob.send("GET", "channels/\(channel)").status == 404)
        }
    }

    @Test("a blocked user writes to a private conversation neither by its id nor by its members")
    func blocked() async throws {
        try await RightsWorld.make { world in
            let (owner, blocked) = (try world.peer(.owner), try world.peer(.blocked))
            let letters = world.filled("channels/LETTERS/messages")
            let body = #"{"text":"again","destinations":["@alice"]}"#
            for path in [letters, "channels/pm/messages", "/v1/\(letters)"] {
                #expect(try await blocked.send("POST", path, body).status == 403, "\(path)")
            }
            // The conversation can still be read, and who blocks can still write.
            #expect(try await blocked.send("GET", letters).status == 200)
            #expect(try await owner.send("POST", letters, #"{"text":"a last word"}"#).status == 200)
            try await owner.data("DELETE", "users/5/block")
            #expect(try await blocked.send("POST", letters, #"{"text":"again"}"#).status == 200)
        }
    }

    @Test("a user is not subscribed automatically to the channel of a blocked user")
    func autoSubscription() async throws {
        try await RightsWorld.make { world in
            let body = #"{"type":"com.example.trap","readers":{"user_ids":["1","2"]},"auto_subscribe":true}"#
            let trap = try await world.peer(.blocked).createChannel(body)
            let subscribers = try await world.peer(.blocked).get("channels/\(trap)/subscribers/ids")
            #expect(Set(subscribers.arrayValue?.compactMap(\.stringValue) ?? []) == ["2", "5"])
        }
    }

    @Test("the interactions with a post have none with a poll of the same id")
    func interactions() async throws {
        try await RightsWorld.make { world in
            #expect(world.ids["BALLOT"] == world.ids["POSTED"])
            let path = world.filled("/v1/posts/POSTED/interactions?filters=poll_response")
            for reader in [RightsReader.owner, .other, .app] {
                let answer = try await world.peer(reader).send("GET", path)
                #expect(answer.status == 200 && answer.tree["data"] == [], "\(answer.text)")
            }
        }
    }

    @Test("a token without a scope of polls finds none of its user's private polls")
    func pollScopes() async throws {
        try await RightsWorld.make { world in
            for (reader, count) in [(RightsReader.owner, 1), (.writer, 1), (.bare, 0), (.narrow, 0), (.app, 0)] {
                let answer = try await world.peer(reader).send("GET", "/v1/polls/search")
                #expect(answer.tree["data"]?.arrayValue?.count == count, "\(reader): \(answer.text)")
            }
            let news = try await world.peer(.bare).send("GET", "/v1/users/me/interactions")
            #expect(news.status == 200 && !news.text.contains(RightsSecret.poll.text), "\(news.text)")
        }
    }
}
