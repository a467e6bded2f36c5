import AppNet
import Foundation
import HeliumKit
import Testing

extension CallCase {
    static let pnutOnly: [CallCase] = [
        CallCase(
            "channels.unreadCounts",
            nil,
            pnut: "GET users/me/channels/num_unread?channel_types=io.pnut.core.pm",
            #"{"io.pnut.core.pm":2}"#
        ) { _ = try await $0.channels.unreadCounts(of: ["io.pnut.core.pm"]) },
        CallCase(
            "channels.markRead",
            nil,
            pnut: "DELETE users/me/channels/num_unread?channel_types=a.b%2Cc.d",
            #"{"a.b":0}"#
        ) { try await $0.channels.markRead(["a.b", "c.d"]) },
        CallCase("channels.existingPrivate", nil, pnut: "GET users/me/channels/existing_pm?ids=2%2C%40bob") {
            _ = try await $0.channels.existingPrivateChannel(with: [2, .named("bob")])
        },
        CallCase("channels.transfer", nil, pnut: "PUT channels/5/owner", body: #"{"id":"2"}"#) {
            _ = try await $0.channels.transfer(5, to: 2)
        },
        CallCase("explore.channels", nil, pnut: "GET channels/streams/explore", "[]") {
            _ = try await $0.explore.channelStreams()
        },
        CallCase("explore.channelsOfStream", nil, pnut: "GET channels/streams/explore/new", "[]") {
            _ = try await $0.explore.channels(in: "new").page()
        },
        CallCase("messages.thread", nil, pnut: "GET channels/5/messages/7/thread", "[]") {
            _ = try await $0.messages.thread(of: 7, in: 5).page()
        },
        CallCase("messages.report", nil, pnut: "POST channels/5/messages/7/report", body: #"{"reason":"nsfw"}"#) {
            try await $0.messages.report(7, in: 5, reason: "nsfw")
        },
        CallCase("messages.stick", nil, pnut: "PUT channels/5/messages/7/sticky") {
            try await $0.messages.stick(7, in: 5)
        },
        CallCase("messages.unstick", nil, pnut: "DELETE channels/5/messages/7/sticky") {
            try await $0.messages.unstick(7, in: 5)
        },
        CallCase("messages.sticky", nil, pnut: "GET channels/5/sticky_messages", "[]") {
            _ = try await $0.messages.sticky(in: 5).page()
        },
        CallCase("files.deleteMany", nil, pnut: "DELETE files?ids=3%2C4") { try await $0.files.deleteMany([3, 4]) },
        CallCase("configuration.operation", nil, pnut: "GET sys/ops/a-b") {
            _ = try await $0.configuration.operation("a-b")
        },
        CallCase("configuration.statistics", nil, pnut: "GET sys/stats") {
            _ = try await $0.configuration.statistics()
        },
        CallCase("users.removeAvatar", nil, pnut: "DELETE users/me/avatar") { try await $0.users.removeAvatar() },
        CallCase("users.removeCover", nil, pnut: "DELETE users/me/cover") { try await $0.users.removeCover() },
        CallCase("users.suggested", nil, pnut: "GET users/suggested", "[]") {
            _ = try await $0.users.suggested().page()
        },
        CallCase("users.present", nil, pnut: "GET presence", "[]") { _ = try await $0.users.present() },
        CallCase("users.presence", nil, pnut: "GET users/2/presence") { _ = try await $0.users.presence(of: 2) },
        CallCase("users.setPresence", nil, pnut: "PUT users/me/presence", body: #"{"presence":"tea"}"#) {
            try await $0.users.setPresence("tea")
        },
        CallCase("users.presentInChannel", nil, pnut: "GET channels/5/presence", "[]") {
            _ = try await $0.users.present(in: 5)
        },
        CallCase("users.presenceInChannel", nil, pnut: "GET users/2/presence/channels/5") {
            _ = try await $0.users.presence(of: 2, in: 5)
        },
        CallCase(
            "users.setPresenceInChannel",
            nil,
            pnut: "PUT users/me/presence/channels/5",
            body: #"{"presence":"tea"}"#
        ) { try await $0.users.setPresence("tea", in: 5) },
        CallCase("users.badges", nil, pnut: "GET badges", "[]") { _ = try await $0.users.badges() },
        CallCase("users.badge", nil, pnut: "GET badges/oak") { _ = try await $0.users.badge("oak") },
        CallCase("users.ownBadges", nil, pnut: "GET users/me/badges", "[]") { _ = try await $0.users.ownBadges() },
        CallCase("posts.revise", nil, pnut: "PUT posts/4") { _ = try await $0.posts.revise(4, Post(text: "Hi")) },
        CallCase("posts.revisions", nil, pnut: "GET posts/4/revisions", "[]") {
            _ = try await $0.posts.revisions(of: 4)
        },
        CallCase("posts.interactions", nil, pnut: "GET posts/4/interactions?exclude=reply", "[]") {
            _ = try await $0.posts.interactions(with: 4, kinds: .except(.reply)).page()
        },
        CallCase("polls.create", nil, pnut: "POST polls") { _ = try await $0.polls.create(Poll(prompt: "Tea?")) },
        CallCase("polls.get", nil, pnut: "GET polls/6?poll_token=opaque") {
            _ = try await $0.polls.get(6, token: "opaque")
        },
        CallCase("polls.byIDs", nil, pnut: "GET polls?ids=6", "[]") { _ = try await $0.polls.get([6]) },
        CallCase("polls.own", nil, pnut: "GET users/me/polls", "[]") { _ = try await $0.polls.own().page() },
        CallCase("polls.responses", nil, pnut: "GET users/me/polls/responses?ids=6%2C7", "[]") {
            _ = try await $0.polls.responses(to: [6, 7]).page()
        },
        CallCase(
            "polls.respond",
            nil,
            pnut: "PUT polls/6/response?poll_token=opaque",
            body: #"{"positions":[2,3]}"#
        ) { _ = try await $0.polls.respond(to: 6, positions: [2, 3], token: "opaque") },
        CallCase("polls.delete", nil, pnut: "DELETE polls/6") { try await $0.polls.delete(6) },
        CallCase("polls.search", nil, pnut: "GET polls/search?q=tea", "[]") {
            _ = try await $0.polls.search("tea").page()
        },
        CallCase("clients.registered", nil, pnut: "GET users/2/clients", "[]") {
            _ = try await $0.clients.registered(by: 2)
        },
        CallCase("clients.get", nil, pnut: "GET clients/a-b") { _ = try await $0.clients.get("a-b") },
        CallCase("embedding.describe", nil, pnut: "GET oembed?url=https%3A%2F%2Fposts.pnut.io%2F1") {
            _ = try await $0.embedding.describe(try #require(URL(string: "https://posts.pnut.io/1")))
        },
        CallCase("appStreams.test", nil, pnut: "POST streams/k/test") { try await $0.appStreams.test("k") },
    ]
}
