import AppNet
import Foundation
import HeliumKit

extension CallCase {
    static let posts: [CallCase] = [
        CallCase("posts.create", "POST posts", body: #"{"text":"Hello","reply_to":"3"}"#) {
            _ = try await $0.posts.create(Post(id: 1, text: "Hello", replyTo: 3))
        },
        CallCase("posts.get", "GET posts/4") { _ = try await $0.posts.get(4) },
        CallCase("posts.delete", "DELETE posts/4") { try await $0.posts.delete(4) },
        CallCase("posts.byIDs", "GET posts?ids=4%2C5", "[]") { _ = try await $0.posts.get([4, 5]) },
        CallCase("posts.ofUser", "GET users/me/posts", "[]") { _ = try await $0.posts.authored(by: .me).page() },
        CallCase("posts.starred", "GET users/1/stars", pnut: "GET users/1/bookmarks", "[]") {
            _ = try await $0.posts.starred(by: 1).page()
        },
        CallCase("posts.mentions", "GET users/me/mentions", "[]") { _ = try await $0.posts.mentions(of: .me).page() },
        CallCase("posts.replies", "GET posts/4/replies", pnut: "GET posts/4/thread", "[]") {
            _ = try await $0.posts.thread(of: 4).page()
        },
        CallCase("posts.tagged", "GET posts/tag/swift", pnut: "GET posts/tags/swift", "[]") {
            _ = try await $0.posts.tagged("#swift").page()
        },
        CallCase(
            "posts.personalStream",
            "GET posts/stream?has_oembed_photo=1",
            pnut: "GET posts/streams/me?has_oembed_photo=1",
            "[]"
        ) { _ = try await $0.posts.personalStream(hasPhoto: true).page() },
        CallCase("posts.unifiedStream", "GET posts/stream/unified", pnut: "GET posts/streams/unified", "[]") {
            _ = try await $0.posts.unifiedStream().page()
        },
        CallCase("posts.globalStream", "GET posts/stream/global", pnut: "GET posts/streams/global", "[]") {
            _ = try await $0.posts.globalStream().page()
        },
        CallCase("posts.star", "POST posts/4/star", pnut: "PUT posts/4/bookmark") { try await $0.posts.star(4) },
        CallCase("posts.unstar", "DELETE posts/4/star", pnut: "DELETE posts/4/bookmark") {
            try await $0.posts.unstar(4)
        },
        CallCase("posts.repost", "POST posts/4/repost", pnut: "PUT posts/4/repost") { try await $0.posts.repost(4) },
        CallCase("posts.undoRepost", "DELETE posts/4/repost") { try await $0.posts.undoRepost(of: 4) },
        CallCase("posts.report", "POST posts/4/report") { try await $0.posts.report(4) },
    ]

    static let others: [CallCase] = [
        CallCase("places.get", "GET places/a-b", pnut: "-") { _ = try await $0.places.get("a-b") },
        CallCase(
            "places.search",
            "GET places/search?count=3&latitude=51.5&longitude=-0.25&q=pub&radius=50.0",
            pnut: "-",
            "[]"
        ) {
            let search = PlaceSearch(latitude: 51.5, longitude: -0.25, text: "pub", radius: 50, count: 3)
            _ = try await $0.places.search(search)
        },
        CallCase(
            "interactions.list",
            "GET users/me/interactions?interaction_actions=repost%2Cstar",
            pnut: "GET users/me/interactions?filters=repost%2Cbookmark",
            "[]"
        ) { _ = try await $0.interactions.list(.only(.repost, .star)).page() },
        CallCase("explore.list", "GET posts/stream/explore", pnut: "GET posts/streams/explore", "[]") {
            _ = try await $0.explore.streams()
        },
        CallCase("explore.posts", "GET posts/stream/explore/photos", pnut: "GET posts/streams/explore/photos", "[]") {
            _ = try await $0.explore.posts(in: "photos").page()
        },
        CallCase("filters.create", "POST filters", pnut: "-", body: #"{"name":"x","match_policy":"include_any"}"#) {
            _ = try await $0.filters.create(StreamFilter(id: 1, name: "x", matchPolicy: "include_any"))
        },
        CallCase("filters.get", "GET filters/1", pnut: "-") { _ = try await $0.filters.get(1) },
        CallCase("filters.replace", "PUT filters/1", pnut: "-", body: #"{"name":"y"}"#) {
            _ = try await $0.filters.replace(1, with: StreamFilter(name: "y"))
        },
        CallCase("filters.delete", "DELETE filters/1", pnut: "-") { try await $0.filters.delete(1) },
        CallCase("filters.all", "GET filters", pnut: "-", "[]") { _ = try await $0.filters.all() },
        CallCase("filters.deleteAll", "DELETE filters", pnut: "-", "[]") { try await $0.filters.deleteAll() },
        CallCase(
            "search.posts",
            "GET posts/search?hashtags=a%20b&index=complete&is_reply=0&order=id&query=tea",
            pnut: "GET posts/search?is_reply=0&order=id&q=tea&tags=a%2Cb",
            "[]"
        ) {
            var search = ContentSearch("tea")
            search.hashtags = ["a", "b"]
            search.isReply = false
            search.order = .id
            _ = try await $0.search.posts(search).page()
        },
        CallCase(
            "search.messages",
            "GET channels/messages/search?annotation_types=x.y&channel_ids=5%206&index=complete",
            pnut: "GET channels/messages/search?channel_ids=5%2C6&raw_types=x.y",
            "[]"
        ) {
            var search = ContentSearch()
            search.annotationTypes = ["x.y"]
            _ = try await $0.search.messages(search, in: .channels([5, 6])).page()
        },
        CallCase(
            "search.channels",
            "GET channels/search?creator_id=1&is_private=1&order=activity&q=tea&type=x.y",
            pnut: "GET channels/search?channel_types=x.y&order=activity&owner_id=1&q=tea",
            "[]"
        ) {
            var search = ChannelSearch("tea")
            search.creator = 1
            search.isPrivate = true
            search.type = "x.y"
            search.order = .activity
            _ = try await $0.search.channels(search).page()
        },
        CallCase(
            "appStreams.create",
            "POST streams",
            body: #"{"type":"long_poll","object_types":["post"],"filter_id":"2","key":"k"}"#
        ) {
            let stream = AppStream(id: 1, type: "long_poll", objectTypes: ["post"], filterID: 2, key: "k")
            _ = try await $0.appStreams.create(stream)
        },
        CallCase("appStreams.get", "GET streams/1") { _ = try await $0.appStreams.get(1) },
        CallCase("appStreams.update", "PUT streams/1", body: #"{"object_types":["post"]}"#) {
            _ = try await $0.appStreams.update(1, AppStream(objectTypes: ["post"]))
        },
        CallCase("appStreams.delete", "DELETE streams/1") { try await $0.appStreams.delete(1) },
        CallCase("appStreams.all", "GET streams?key=k", "[]") { _ = try await $0.appStreams.all(key: "k") },
        CallCase("appStreams.deleteAll", "DELETE streams", "[]") { try await $0.appStreams.deleteAll() },
        CallCase("userStreams.delete", "DELETE users/me/streams/c") {
            try await $0.userStreams.delete(connectionID: "c")
        },
        CallCase("userStreams.deleteSubscription", "DELETE users/me/streams/c/s") {
            try await $0.userStreams.delete(connectionID: "c", subscriptionID: "s")
        },
    ]
}
