import AppNet
import Foundation
import Testing

extension ServerCase {
    static let files: [ServerCase] = [
        ServerCase("files.create") { world in
            let content = FileContent.data(Data("abc".utf8), name: "a.txt", mediaType: "text/plain")
            let file = try await world.alice.files.create(File(type: "com.example.note"), content: content)
            #expect(file.isComplete == true && file.size == 3 && file.name == "a.txt" && file.fileToken != nil)
        },
        ServerCase("files.get") { world in
            let id = try await world.file()
            #expect(try await world.alice.files.get(id).id == id)
        },
        ServerCase("files.byIDs") { world in
            let id = try await world.file()
            #expect(try await world.alice.files.get([id]).map(\.id) == [id])
        },
        ServerCase("files.own") { world in
            let id = try await world.file()
            #expect(try await world.alice.files.own().page().elements.first?.id == id)
        },
        ServerCase("files.update") { world in
            let changed = try await world.alice.files.update(try await world.file(), File(name: "new.txt"))
            #expect(changed.name == "new.txt")
        },
        ServerCase("files.delete") { world in
            let id = try await world.file()
            try await world.alice.files.delete(id)
            await #expect(throws: AppNetError.self) { try await world.alice.files.get(id) }
        },
        ServerCase("files.content") { world in
            let value = try await world.alice.files.content(of: try await world.file())
            #expect(value == Data("content".utf8))
        },
        ServerCase("files.derivedContent") { world in
            let content = try await world.alice.files.content(of: try await world.file(), derived: "small")
            #expect(content == Data("tiny".utf8))
        },
        ServerCase("files.setContent") { world in
            let id = try await world.incompleteFile()
            try await world.alice.files.setContent(of: id, to: .data(Data("later".utf8), name: "l.txt"))
            #expect(try await world.alice.files.get(id).size == 5)
        },
        ServerCase("files.setDerivedContent") { world in
            let id = try await world.incompleteFile()
            let content = FileContent.data(Data("tiny".utf8), name: "s.txt")
            try await world.alice.files.setContent(of: id, derived: "small", to: content)
            try await world.alice.files.setContent(of: id, to: .data(Data("later".utf8), name: "l.txt"))
            #expect(try await world.alice.files.get(id).derivedFiles?["small"]?.size == 4)
        },
        ServerCase("files.addDerivedContent") { world in
            let id = try await world.incompleteFile()
            let content = FileContent.data(Data("tiny".utf8), name: "s.txt")
            #expect(try await world.alice.files.addDerived("small", content, to: id).id == id)
        },
    ]

    static let users: [ServerCase] = [
        ServerCase("users.get") { world in
            let value = try await world.bob.users.get(.named("alice")).id
            #expect(value == world.aliceID)
        },
        ServerCase("users.byIDs") { world in
            let found = try await world.alice.users.get([world.aliceID, .named("bob")])
            #expect(Set(found.compactMap(\.id)) == [world.aliceID, world.bobID])
        },
        ServerCase("users.search") { world in
            let value = try await world.alice.users.search("@bob", count: 5).first?.id
            #expect(value == world.bobID)
        },
        ServerCase("users.replaceProfile") { world in
            let description = AppNetUser.Description(text: "about #tea")
            let profile = AppNetUser(name: "Alice", description: description, timezone: "Europe/Paris", locale: "en_US")
            let changed = try await world.alice.users.replaceProfile(profile)
            #expect(changed.name == "Alice" && changed.description?.entities?.hashtags?.first?.name == "tea")
        },
        ServerCase("users.updateProfile") { world in
            let value = try await world.alice.users.updateProfile(AppNetUser(name: "A.")).name
            #expect(value == "A.")
        },
        ServerCase("users.avatar") { world in
            try await world.alice.users.setAvatar(world.picture(width: 200, height: 200))
            #expect(try await world.alice.users.avatar(of: world.aliceID, width: 50).isEmpty == false)
        },
        ServerCase("users.cover") { world in
            try await world.alice.users.setCover(world.picture(width: 960, height: 300))
            #expect(try await world.alice.users.cover(of: world.aliceID, height: 50).isEmpty == false)
        },
        ServerCase("users.setAvatar") { world in
            let changed = try await world.alice.users.setAvatar(world.picture(width: 200, height: 200))
            #expect(changed.avatarImage?.isDefault == false && changed.avatarImage?.width == 200)
        },
        ServerCase("users.setCover") { world in
            let changed = try await world.alice.users.setCover(world.picture(width: 960, height: 300))
            #expect(changed.coverImage?.isDefault == false)
        },
        ServerCase("users.follow") { world in
            let value = try await world.alice.users.follow(world.bobID).youFollow
            #expect(value == true)
        },
        ServerCase("users.unfollow") { world in
            let value = try await world.alice.users.unfollow(world.bobID).youFollow
            #expect(value == false)
        },
        ServerCase("users.mute") { world in
            let value = try await world.alice.users.mute(world.bobID).youMuted
            #expect(value == true)
        },
        ServerCase("users.unmute") { world in
            let value = try await world.alice.users.unmute(world.bobID).youMuted
            #expect(value == false)
        },
        ServerCase("users.block") { world in
            let value = try await world.alice.users.block(world.bobID).youBlocked
            #expect(value == true)
        },
        ServerCase("users.unblock") { world in
            let user = try await world.alice.users.unblock(world.bobID)
            #expect(user.youBlocked == false)
            try await world.alice.users.unmute(world.bobID)
        },
        ServerCase("users.following") { world in
            try await world.alice.users.follow(world.bobID)
            #expect(try await world.alice.users.following(of: .me).page().elements.map(\.id) == [world.bobID])
        },
        ServerCase("users.followers") { world in
            try await world.alice.users.follow(world.bobID)
            #expect(try await world.bob.users.followers(of: .me).page().elements.map(\.id) == [world.aliceID])
        },
        ServerCase("users.followingIDs") { world in
            try await world.alice.users.follow(world.bobID)
            #expect(try await world.alice.users.followingIDs(of: .me) == [world.bobID])
        },
        ServerCase("users.followerIDs") { world in
            try await world.alice.users.follow(world.bobID)
            #expect(try await world.bob.users.followerIDs(of: .me) == [world.aliceID])
        },
        ServerCase("users.muted") { world in
            try await world.alice.users.mute(world.bobID)
            #expect(try await world.alice.users.muted(by: .me).map(\.id) == [world.bobID])
            try await world.alice.users.unmute(world.bobID)
        },
        ServerCase("users.blocked") { world in
            try await world.alice.users.block(world.bobID)
            #expect(try await world.alice.users.blocked(by: .me).map(\.id) == [world.bobID])
            try await world.alice.users.unblock(world.bobID)
            try await world.alice.users.unmute(world.bobID)
        },
        ServerCase("users.mutedIDs") { world in
            let value = try await world.app.users.mutedIDs(by: [world.aliceID])[world.aliceID]
            #expect(value == [])
        },
        ServerCase("users.blockedIDs") { world in
            let value = try await world.app.users.blockedIDs(by: [world.aliceID])[world.aliceID]
            #expect(value == [])
        },
        ServerCase("token.current") { world in
            let token = try await world.alice.token.current()
            #expect(token.user?.id == world.aliceID && token.scopes?.isEmpty == false)
        },
        // The last of all: the token is gone then.
        ServerCase("token.revoke") { world in
            try await world.bob.token.revoke()
            let error = await #expect(throws: AppNetError.self) { try await world.bob.token.current() }
            #expect(error?.status == 401)
        },
        ServerCase("token.userIDs") { world in
            let value = try await world.app.token.userIDs().contains(world.aliceID)
            #expect(value)
        },
        ServerCase("token.all") { world in
            let tokens = try await world.app.token.all().page().elements
            #expect(tokens.contains { $0.user?.id == world.aliceID })
        },
    ]
}
