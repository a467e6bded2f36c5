import AppNet
import HeliumKit

extension CallCase {
    static let channels: [CallCase] = [
        CallCase(
            "channels.create",
            "POST channels",
            body: #"{"type":"com.example.room","readers":{"public":true},"auto_subscribe":true}"#
        ) {
            let draft = AppNetChannel(
                id: 9,
                type: "com.example.room",
                readers: ACL(isPublic: true),
                hasUnread: true,
                autoSubscribe: true
            )
            _ = try await $0.channels.create(draft)
        },
        CallCase("channels.get", "GET channels/5?include_annotations=1", pnut: "GET channels/5?include_raw=1") {
            _ = try await $0.channels.get(5, parameters: GeneralParameters(includesAnnotations: true))
        },
        CallCase("channels.byIDs", "GET channels?ids=5%2C6", "[{},{}]") {
            _ = try await $0.channels.get([5, 6])
        },
        CallCase("channels.update", "PUT channels/5", body: #"{"writers":{"user_ids":["2","@bob"]}}"#) {
            let changes = AppNetChannel(id: 5, type: "x.y", writers: ACL(userIDs: [2, .named("bob")]))
            _ = try await $0.channels.update(5, changes)
        },
        CallCase("channels.deactivate", "DELETE channels/5") { _ = try await $0.channels.deactivate(5) },
        CallCase(
            "channels.subscribed",
            "GET channels?channel_types=a.b%2Cc.d&count=5",
            pnut: "GET users/me/channels/subscribed?channel_types=a.b%2Cc.d&count=5",
            "[]"
        ) {
            let parameters = GeneralParameters(channelTypes: ["a.b", "c.d"])
            _ = try await $0.channels.subscribed(parameters: parameters).page(.newest(5))
        },
        CallCase("channels.created", "GET users/me/channels", "[]") { _ = try await $0.channels.created().page() },
        CallCase("channels.muted", "GET users/me/channels/muted", "[]") { _ = try await $0.channels.muted() },
        CallCase("channels.subscribe", "POST channels/5/subscribe", pnut: "PUT channels/5/subscribe") {
            _ = try await $0.channels.subscribe(to: 5)
        },
        CallCase("channels.unsubscribe", "DELETE channels/5/subscribe") {
            _ = try await $0.channels.unsubscribe(from: 5)
        },
        CallCase("channels.mute", "POST channels/5/mute", pnut: "PUT channels/5/mute") {
            _ = try await $0.channels.mute(5)
        },
        CallCase("channels.unmute", "DELETE channels/5/mute") { _ = try await $0.channels.unmute(5) },
        CallCase("channels.subscribers", "GET channels/5/subscribers?before_id=7", "[]") {
            _ = try await $0.channels.subscribers(of: 5).page(.before("7"))
        },
        CallCase("channels.subscriberIDs", "GET channels/5/subscribers/ids", pnut: "-", #"["1","2"]"#) {
            _ = try await $0.channels.subscriberIDs(of: 5)
        },
        CallCase(
            "channels.subscriberIDsOfChannels",
            "GET channels/subscribers/ids?ids=5%2C6",
            pnut: "-",
            #"{"5":["1"]}"#
        ) { _ = try await $0.channels.subscriberIDs(of: [5, 6]) },
        CallCase("channels.unreadPrivateCount", "GET users/me/channels/pm/num_unread", pnut: "-", "2") {
            _ = try await $0.channels.unreadPrivateCount()
        },
        CallCase("channels.unreadBroadcastCount", "GET users/me/channels/broadcast/num_unread", pnut: "-", "2") {
            _ = try await $0.channels.unreadBroadcastCount()
        },
        CallCase("channels.markBroadcastsRead", "DELETE users/me/channels/broadcast/num_unread", pnut: "-", "0") {
            _ = try await $0.channels.markBroadcastsRead()
        },
    ]

    static let messages: [CallCase] = [
        CallCase(
            "messages.create",
            "POST channels/5/messages?include_annotations=1",
            pnut: "POST channels/5/messages?include_raw=1",
            body: #"{"text":"Hello","reply_to":"3","annotations":[{"type":"com.example.mood","value":{"level":2}}]}"#
        ) {
            let mood = Annotation(type: "com.example.mood", value: ["level": 2])
            let message = Message(id: 1, user: AppNetUser(id: 1), text: "Hello", replyTo: 3, annotations: [mood])
            _ = try await $0.messages.create(message, in: 5, parameters: GeneralParameters(includesAnnotations: true))
        },
        CallCase(
            "messages.create",
            "POST channels/pm/messages",
            body: #"{"text":"Psst","destinations":["2","@bob"]}"#
        ) { _ = try await $0.messages.send(Message(text: "Psst"), to: [2, .named("@bob")]) },
        CallCase(
            "messages.inChannel",
            "GET channels/5/messages?connection_id=c&count=-20&include_html=0&since_id=last_read&subscription_id=s",
            "[]"
        ) {
            let list = $0.messages.list(in: 5, parameters: GeneralParameters(includesHTML: false))
            let subscription = StreamSubscriptionParameters(connectionID: "c", subscriptionID: "s")
            _ = try await list.page(.after(.lastRead), subscription: subscription)
        },
        CallCase("messages.get", "GET channels/5/messages/7") { _ = try await $0.messages.get(7, in: 5) },
        CallCase("messages.byIDs", "GET channels/messages?ids=7%2C8", "[]") { _ = try await $0.messages.get([7, 8]) },
        CallCase("messages.own", "GET users/me/messages", "[]") { _ = try await $0.messages.own().page() },
        CallCase("messages.delete", "DELETE channels/5/messages/7") { try await $0.messages.delete(7, in: 5) },
        CallCase(
            "streamMarkers.update",
            "POST posts/marker?reset_read_id=1",
            pnut: "POST markers?reset_read_id=1",
            body: #"[{"name":"global","id":"9"},{"name":"channel:5","id":"8","percentage":50}]"#,
            "[{},{}]"
        ) {
            let markers = [
                StreamMarker(name: "global", id: 9, version: "x"),
                StreamMarker(name: "channel:5", id: 8, percentage: 50),
            ]
            try await $0.streamMarkers.update(markers, resetsReadID: true)
        },
    ]
}
