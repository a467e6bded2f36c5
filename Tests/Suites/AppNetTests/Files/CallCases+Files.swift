import AppNet
import Foundation
import HeliumKit

extension CallCase {
    static let files: [CallCase] = [
        CallCase("files.create", "POST files", body: #"{"type":"com.example.photo","kind":"image","public":true}"#) {
            _ = try await $0.files.create(File(id: 3, type: "com.example.photo", kind: .image, isPublic: true))
        },
        CallCase("files.get", "GET files/3?file_token=opaque", pnut: "GET files/3?file_token_read=opaque") {
            _ = try await $0.files.get(3, token: "opaque")
        },
        CallCase("files.byIDs", "GET files?ids=3%2C4", "[]") { _ = try await $0.files.get([3, 4]) },
        CallCase("files.own", "GET users/me/files?file_types=a.b&include_private=0", "[]") {
            var parameters = GeneralParameters()
            parameters.fileTypes = ["a.b"]
            parameters.includesPrivate = false
            _ = try await $0.files.own(parameters: parameters).page()
        },
        CallCase("files.update", "PUT files/3", pnut: "PATCH files/3", body: #"{"public":false,"name":"x.png"}"#) {
            _ = try await $0.files.update(3, File(type: "a.b", isPublic: false, name: "x.png"))
        },
        CallCase("files.delete", "DELETE files/3") { try await $0.files.delete(3) },
        CallCase("files.content", "GET files/3/content", pnut: "-") { _ = try await $0.files.content(of: 3) },
        CallCase("files.derivedContent", "GET files/3/content/small", pnut: "-") {
            _ = try await $0.files.content(of: 3, derived: "small")
        },
        CallCase("files.setContent", "PUT files/3/content") {
            try await $0.files.setContent(of: 3, to: .data(Data("x".utf8), name: "x.txt"))
        },
        CallCase("files.setDerivedContent", "PUT files/3/content/small") {
            try await $0.files.setContent(of: 3, derived: "small", to: .data(Data("x".utf8), name: "x.txt"))
        },
        CallCase("files.addDerivedContent", "POST files/3/content/small", pnut: "-") {
            _ = try await $0.files.addDerived("small", .data(Data("x".utf8), name: "x.txt"), to: 3)
        },
    ]

    static let users: [CallCase] = [
        CallCase("users.get", "GET users/%40alice") { _ = try await $0.users.get(.named("alice")) },
        CallCase("users.byIDs", "GET users?ids=1%2C%40bob", "[]") { _ = try await $0.users.get([1, .named("bob")]) },
        CallCase("users.search", "GET users/search?count=5&q=%23swift", "[]") {
            _ = try await $0.users.search("#swift", count: 5)
        },
        CallCase(
            "users.replaceProfile",
            "PUT users/me",
            body: #"{"name":"A","description":{"text":"x"},"timezone":"Europe/Paris","locale":"en"}"#
        ) {
            let description = AppNetUser.Description(text: "x", html: "<b>")
            let profile = AppNetUser(id: 1, name: "A", description: description, timezone: "Europe/Paris", locale: "en")
            try await $0.users.replaceProfile(profile)
        },
        CallCase("users.updateProfile", "PATCH users/me", body: #"{"name":"B"}"#) {
            try await $0.users.updateProfile(AppNetUser(id: 1, name: "B"))
        },
        CallCase("users.avatar", "GET users/1/avatar?w=50") { _ = try await $0.users.avatar(of: 1, width: 50) },
        CallCase("users.cover", "GET users/1/cover?h=50") { _ = try await $0.users.cover(of: 1, height: 50) },
        CallCase("users.setAvatar", "POST users/me/avatar") {
            try await $0.users.setAvatar(.data(Data("x".utf8), name: "a.png"))
        },
        CallCase("users.setCover", "POST users/me/cover") {
            try await $0.users.setCover(.data(Data("x".utf8), name: "a.png"))
        },
        CallCase("users.follow", "POST users/2/follow", pnut: "PUT users/2/follow") { try await $0.users.follow(2) },
        CallCase("users.unfollow", "DELETE users/2/follow") { try await $0.users.unfollow(2) },
        CallCase("users.mute", "POST users/2/mute", pnut: "PUT users/2/mute") { try await $0.users.mute(2) },
        CallCase("users.unmute", "DELETE users/2/mute") { try await $0.users.unmute(2) },
        CallCase("users.block", "POST users/2/block", pnut: "PUT users/2/block") { try await $0.users.block(2) },
        CallCase("users.unblock", "DELETE users/2/block") { try await $0.users.unblock(2) },
        CallCase("users.following", "GET users/me/following", "[]") {
            _ = try await $0.users.following(of: .me).page()
        },
        CallCase("users.followers", "GET users/me/followers", "[]") {
            _ = try await $0.users.followers(of: .me).page()
        },
        CallCase("users.followingIDs", "GET users/1/following/ids", pnut: "-", #"["2"]"#) {
            _ = try await $0.users.followingIDs(of: 1)
        },
        CallCase("users.followerIDs", "GET users/1/followers/ids", pnut: "-", #"["2"]"#) {
            _ = try await $0.users.followerIDs(of: 1)
        },
        CallCase("users.muted", "GET users/me/muted", "[]") { _ = try await $0.users.muted(by: .me) },
        CallCase("users.blocked", "GET users/me/blocked", "[]") { _ = try await $0.users.blocked(by: .me) },
        CallCase("users.mutedIDs", "GET users/muted/ids?ids=1", pnut: "-", #"{"1":["2"]}"#) {
            _ = try await $0.users.mutedIDs(by: [1])
        },
        CallCase("users.blockedIDs", "GET users/blocked/ids?ids=1", pnut: "-", #"{"1":["2"]}"#) {
            _ = try await $0.users.blockedIDs(by: [1])
        },
        CallCase("posts.reposters", "GET posts/4/reposters", pnut: "-", "[]") {
            _ = try await $0.posts.reposters(of: 4).page()
        },
        CallCase("posts.starrers", "GET posts/4/stars", pnut: "-", "[]") {
            _ = try await $0.posts.starrers(of: 4).page()
        },
    ]

    static let tokens: [CallCase] = [
        CallCase("token.current", "GET token?connection_id=c") {
            _ = try await $0.token.currentAnswer(subscription: StreamSubscriptionParameters(connectionID: "c"))
        },
        CallCase("token.revoke", "DELETE token") { try await $0.token.revoke() },
        CallCase("token.userIDs", "GET apps/me/tokens/user_ids", pnut: "GET apps/me/users/ids", #"["1"]"#) {
            _ = try await $0.token.userIDs()
        },
        CallCase("token.all", "GET apps/me/tokens", pnut: "GET apps/me/users/tokens", "[]") {
            _ = try await $0.token.all().page()
        },
        CallCase("configuration.get", "GET config", pnut: "GET sys/config") { _ = try await $0.configuration.get() },
        CallCase(
            "text.process",
            "POST text/process",
            pnut: "POST text/process?object_type=message",
            body: #"{"text":"a [b](http://c.d)","entities":{"parse_markdown_links":true}}"#
        ) {
            let entities = Entities(parsesMarkdownLinks: true)
            _ = try await $0.text.process("a [b](http://c.d)", entities: entities, for: .message)
        },
    ]
}
