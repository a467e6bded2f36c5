import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Posts of pnut.io", .timeLimit(.minutes(5)))
struct PnutPostTests {
    @Test("a post of pnut.io is created with 201, and not changed by POST")
    func creation() async throws {
        try await withPnut { alice, _ in
            let created = try await alice.post("posts", ["text": "one"])
            #expect(created.status == 201)
            let id = try #require(created["id"]?.stringValue)
            #expect(try await alice.post("posts/\(id)", ["text": "new"]).status == 405)
        }
    }

    @Test("a bookmarked post of pnut.io is counted, and listed for the user who bookmarked it")
    func bookmarks() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createPost(alice)
            let marked = try await bob.send("PUT", "posts/\(id)/bookmark", json: [:])
            #expect(marked["you_bookmarked"] == .bool(true))
            #expect(marked["counts", "bookmarks"] == .integer(1))
            #expect(try await bob.get("users/me/bookmarks").ids == [id])
        }
    }

    @Test("interactions with a pnut.io post are listed newest first, and filtered by their actions")
    func interactions() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createPost(alice)
            _ = try await bob.send("PUT", "posts/\(id)/bookmark", json: [:])
            _ = try await bob.post("posts", ["text": "two", "reply_to": .string(id)])
            let all = try await alice.get("posts/\(id)/interactions")
            let actions = all.json?["data"]?.arrayValue?.compactMap { $0["action"]?.stringValue }
            #expect(actions == ["reply", "bookmark"])
            let some = try await alice.get("posts/\(id)/interactions?filters=bookmark")
            #expect(some.json?["data"]?.arrayValue?.count == 1)
        }
    }

    @Test("posts of pnut.io are in their thread, and in the personal and global streams")
    func streams() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createPost(alice)
            _ = try await bob.post("posts", ["text": "two", "reply_to": .string(id)])
            #expect(try await alice.get("posts/\(id)/thread").ids.count == 2)
            #expect(try await alice.get("posts/streams/me").ids == [id])
            #expect(try await alice.get("posts/streams/global").ids.count == 2)
        }
    }

    private static func createPost(_ visitor: AppNetVisitor) async throws -> String {
        let created = try await visitor.post("posts", ["text": "one"])
        return try #require(created["id"]?.stringValue, "\(created.text)")
    }
}
