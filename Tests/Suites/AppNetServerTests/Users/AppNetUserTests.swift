import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Users of App.net", .timeLimit(.minutes(5)))
struct AppNetUserTests {
    @Test("a user is found by id, name and me, and an unknown name is 404")
    func lookup() async throws {
        try await withAppNet { alice async throws in
            for name in ["1", "@alice", "@ALICE", "me"] {
                #expect(try await alice.get("users/\(name)")["username"] == "alice", "\(name)")
            }
            #expect(try await alice.send("GET", "users/@nobody").status == 404)
        }
    }

    @Test("users are listed in the order of the ids, the last ids parameter counts, and unknown ids are left out")
    func list() async throws {
        try await withAppNet { alice async throws in
            #expect(try await alice.send("GET", "users?ids=3,+1,99,1").ids == ["3", "1"])
            #expect(try await alice.send("GET", "users?ids=1&ids=2").ids == ["2"])
        }
    }

    @Test("a search for users needs a query, and finds names by their beginning")
    func search() async throws {
        try await withAppNet { alice async throws in
            #expect(try await alice.send("GET", "users/search?q=@bo").ids == ["2"])
            #expect(try await alice.send("GET", "users/search?q=carol").ids == ["3"])
            #expect(try await alice.send("GET", "users/search").status == 400)
        }
    }

    @Test("a user shows whether the caller follows him, except the caller's own user and calls without a token")
    func relations() async throws {
        try await withAppNet { alice async throws in
            #expect(try await alice.get("users/me")["you_follow"] == nil)
            #expect(try await alice.anonymous.get("users/2")["you_follow"] == nil)
            #expect(try await alice.post("users/@bob/follow")["you_follow"] == .bool(true))
            #expect(try await alice.user(1).get("users/1")["follows_you"] == .bool(true))
            #expect(try await alice.data("DELETE", "users/2/follow")["you_follow"] == .bool(false))
            #expect(try await alice.send("POST", "users/me/follow").status == 400)
        }
    }

    @Test("a follow is counted, and listed for both users")
    func follows() async throws {
        try await withAppNet { alice in
            try await alice.post("users/@bob/follow")
            #expect(try await alice.get("users/2")["counts"]?["followers"] == .integer(1))
            #expect(try await alice.user(1).send("GET", "users/me/followers").ids == ["1"])
            #expect(try await alice.get("users/me/following/ids") == ["2"])
            #expect(try await alice.get("users/2/followers/ids") == ["1"])
        }
    }

    @Test("a block ends the follows of both users, mutes the blocked one, and refuses him a follow")
    func blocks() async throws {
        try await withAppNet { alice in
            let bob = alice.user(1)
            try await alice.post("users/2/follow")
            try await bob.post("users/1/follow")
            let blocked = try await alice.post("users/2/block")
            #expect(blocked["you_blocked"] == .bool(true) && blocked["you_muted"] == .bool(true))
            #expect(blocked["you_follow"] == .bool(false) && blocked["follows_you"] == .bool(false))
            #expect(try await bob.send("POST", "users/1/follow").status == 403)
            #expect(try await bob.get("users/1")["you_can_follow"] == .bool(false))
            try await alice.data("DELETE", "users/2/block")
            #expect(try await bob.send("POST", "users/1/follow").status == 200)
        }
    }

    @Test("blocked and muted users are listed only for the user who did so and for his app")
    func blockLists() async throws {
        try await withAppNet { alice in
            try await alice.post("users/2/block")
            #expect(try await alice.send("GET", "users/me/blocked").ids == ["2"])
            #expect(try await alice.send("GET", "users/me/muted").ids == ["2"])
            #expect(try await alice.user(1).send("GET", "users/1/muted").status == 403)
            #expect(try await alice.app.send("GET", "users/1/blocked").ids == ["2"])
            #expect(try await alice.app.get("users/blocked/ids?ids=1,2,99") == ["1": ["2"], "2": []])
        }
    }

    @Test("PATCH changes one member of a profile, finds the entities of the description, and ignores other members")
    func changedProfile() async throws {
        try await withAppNet { alice in
            let body = #"{"description":{"text":"I like #swift and @bob"},"id":1,"counts":{}}"#
            let user = try await alice.data("PATCH", "users/me", body)
            #expect(user["description"]?["entities"]?["mentions"]?.arrayValue?.first?["is_leading"] == nil)
            #expect(user["description"]?["html"]?.stringValue?.contains("data-hashtag-name=\"swift\"") == true)
            #expect(try await alice.get("users/me?include_html=0")["description"]?["html"] == nil)
        }
    }

    @Test("PUT replaces a profile, and needs every member of it")
    func replacedProfile() async throws {
        try await withAppNet { alice in
            #expect(try await alice.send("PUT", "users/me", #"{"name":"A"}"#).status == 400)
            let whole = #"{"name":"A","locale":"de_DE","timezone":"Europe/Berlin","description":{"text":""}}"#
            let changed = try await alice.data("PUT", "users/me", whole)
            #expect(changed["locale"] == "de_DE" && changed["description"] == nil)
        }
    }

    @Test("a user's name of more than 50 characters is refused")
    func longName() async throws {
        try await withAppNet { alice async throws in
            let long = String(repeating: "x", count: 51)
            #expect(try await alice.send("PATCH", "users/me", #"{"name":"\#(long)"}"#).status == 400)
        }
    }

    @Test("a profile that the server amended with links is the same when it is sent back")
    func echo() async throws {
        try await withAppNet { alice in
            let links = #"[{"pos":0,"len":4,"url":"http://example.com"}]"#
            let body = #"{"description":{"text":"here #tag","entities":{"links":\#(links)}}}"#
            let user = try await alice.data("PATCH", "users/me", body)
            #expect(user["description"]?["text"] == "here [example.com] #tag")
            #expect(try await alice.data("PUT", "users/me", user.text) == user)
        }
    }

    @Test("a user has one annotation of each type, which is removed by one without a value")
    func annotations() async throws {
        try await withAppNet { alice in
            func patch(_ list: String) async throws -> TestJSON? {
                let body = #"{"annotations":\#(list)}"#
                return try await alice.data("PATCH", "users/me?include_annotations=1", body)["annotations"]
            }
            let blog = #"{"type":"net.app.core.directory.blog","value":{"url":"http://example.com"}}"#
            let own = #"{"type":"com.example.a","value":{"n":1}}"#
            #expect(try await patch("[\(blog),\(own)]")?.arrayValue?.count == 2)
            let merged = try await patch(#"[{"type":"com.example.a","value":{"n":2}}]"#)
            #expect(merged?.arrayValue?.last == ["type": "com.example.a", "value": ["n": .integer(2)]])
            #expect(try await patch(#"[{"type":"com.example.a"}]"#)?.arrayValue?.count == 1)
            #expect(try await alice.get("users/me")["annotations"] == nil)
            #expect(try await alice.get("users/me?include_user_annotations=1")["annotations"] != nil)
        }
    }

    /// The path of a picture's address.
    private static func path(_ location: String) -> String {
        String(location.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
    }

    @Test("a user without a picture has the default one, and the redirect keeps the width")
    func defaultPicture() async throws {
        try await withAppNet { alice in
            let redirect = try await alice.send("GET", "users/2/avatar?w=80&access_token=\(alice.token ?? "")")
            let location = try #require(redirect["location"])
            #expect(redirect.status == 302 && location.hasSuffix("default-avatar.svg?w=80"))
            #expect(try await alice.send("GET", Self.path(location))["content-type"] == "image/svg+xml")
        }
    }

    @Test("an uploaded picture has its size in pixels, and is refused for the cover if it is too small")
    func ownPicture() async throws {
        try await withAppNet { alice in
            let gif = "GIF89a" + String(decoding: [40, 0, 30, 0, 0, 0, 0] as [UInt8], as: UTF8.self)
            let body =
                "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"a.gif\"\r\n\r\n\(gif)\r\n--b--\r\n"
            let type = "multipart/form-data; boundary=b"
            let answer = try await alice.send("POST", "users/me/avatar", body, type: type)
            let image = answer.tree["data"]?["avatar_image"]
            #expect(image?["width"] == .integer(40) && image?["is_default"] == .bool(false))
            #expect(try await alice.send("POST", "users/me/cover", body, type: type).status == 400)
            let own = try #require(try await alice.send("GET", "users/me/avatar")["location"])
            #expect(try await alice.send("GET", Self.path(own))["content-type"] == "image/gif")
        }
    }
}
