import AppNet
import Testing

extension ServerCase {
    static let posts: [ServerCase] = [
        ServerCase("posts.create") { world in
            let post = try await world.alice.posts.create(Post(text: "Hello", replyTo: try await world.post()))
            #expect(post.text == "Hello" && post.threadID == post.replyTo)
        },
        ServerCase("posts.get") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.get(id).id == id)
        },
        ServerCase("posts.delete") { world in
            let value = try await world.bob.posts.delete(try await world.post())
            #expect(value.isDeleted == true)
        },
        ServerCase("posts.byIDs") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.get([id]).map(\.id) == [id])
        },
        ServerCase("posts.ofUser") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.authored(by: world.bobID).page().elements.first?.id == id)
        },
        ServerCase("posts.starred") { world in
            let id = try await world.post()
            try await world.alice.posts.star(id)
            #expect(try await world.alice.posts.starred(by: world.aliceID).page().elements.first?.id == id)
        },
        ServerCase("posts.mentions") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.mentions(of: .me).page().elements.first?.id == id)
        },
        ServerCase("posts.replies") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.thread(of: id).page().elements.map(\.id) == [id])
        },
        ServerCase("posts.tagged") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.tagged("#tea").page().elements.first?.id == id)
        },
        ServerCase("posts.personalStream") { world in
            let id = try await world.post()
            #expect(try await world.bob.posts.personalStream().page().elements.first?.id == id)
        },
        ServerCase("posts.unifiedStream") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.unifiedStream().page().elements.first?.id == id)
        },
        ServerCase("posts.globalStream") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.globalStream().page().elements.first?.id == id)
        },
        ServerCase("posts.star") { world in
            let value = try await world.alice.posts.star(try await world.post())
            #expect(value.youStarred == true)
        },
        ServerCase("posts.unstar") { world in
            let id = try await world.post()
            try await world.alice.posts.star(id)
            #expect(try await world.alice.posts.unstar(id).youStarred == false)
        },
        ServerCase("posts.repost") { world in
            let id = try await world.post()
            #expect(try await world.alice.posts.repost(id).repostOf?.id == id)
        },
        ServerCase("posts.undoRepost") { world in
            let id = try await world.post()
            try await world.alice.posts.repost(id)
            #expect(try await world.alice.posts.undoRepost(of: id).id == id)
        },
        ServerCase("posts.report") { world in
            try await world.alice.posts.report(try await world.post())
            try await world.alice.users.unmute(world.bobID)
        },
        ServerCase("posts.reposters") { world in
            let id = try await world.post()
            try await world.alice.posts.repost(id)
            #expect(try await world.bob.posts.reposters(of: id).page().elements.map(\.id) == [world.aliceID])
        },
        ServerCase("posts.starrers") { world in
            let id = try await world.post()
            try await world.alice.posts.star(id)
            #expect(try await world.bob.posts.starrers(of: id).page().elements.map(\.id) == [world.aliceID])
        },
    ]
}
