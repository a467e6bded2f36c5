import Foundation
import Testing

@testable import AppNet

@Suite("Events of app streams")
struct StreamEventTests {
    private static func event(_ text: String, dialect: AppNetDialect = .appNet) throws -> StreamEvent {
        try StreamEvent(frame: Data(text.utf8), dialect: dialect)
    }

    private static let user = #"{"id":"1","username":"alice"}"#
    private static let other = #"{"id":"2","username":"bob"}"#
    private static let alice = AppNetUser(id: 1, username: "alice")
    private static let bob = AppNetUser(id: 2, username: "bob")

    /// Each type of Docs/Protocols/AppNet.md §2.13 with its data, and the subject that it decodes to.
    private static let table: [(type: String, data: String, subject: StreamEvent.Subject)] = [
        ("post", #"{"id":"3"}"#, .posts([Post(id: 3)])),
        ("message", #"{"id":"3"}"#, .messages([Message(id: 3)])),
        ("channel", #"{"id":"3"}"#, .channels([AppNetChannel(id: 3)])),
        ("file", #"{"id":"3"}"#, .files([File(id: 3)])),
        ("user", user, .users([alice])),
        ("token", #"{"scopes":["basic"]}"#, .tokens([TokenInfo(scopes: [.basic])])),
        ("star", #"{"post":{"id":"3"},"user":\#(user)}"#, .star(Post(id: 3), by: alice)),
        ("user_follow", #"{"follows_user":\#(other),"user":\#(user)}"#, .follow(of: bob, by: alice)),
        ("mute", #"{"muted_user":\#(other),"user":\#(user)}"#, .mute(of: bob, by: alice)),
        ("block", #"{"blocked_user":\#(other),"user":\#(user)}"#, .block(of: bob, by: alice)),
        (
            "stream_marker", #"{"marker":{"name":"global"},"user":\#(user)}"#,
            .streamMarker(StreamMarker(name: "global"), of: alice)
        ),
        (
            "channel_subscription", #"{"channel":{"id":"3"},"user":\#(user)}"#,
            .channelSubscription(AppNetChannel(id: 3), by: alice)
        ),
        ("something_else", #"{"a":1}"#, .other(["a": 1])),
    ]

    @Test("an event is decoded by its type", arguments: table.indices)
    func types(index: Int) throws {
        let (type, data, subject) = Self.table[index]
        let event = try Self.event(#"{"meta":{"type":"\#(type)","id":"1:2","is_deleted":true},"data":\#(data)}"#)
        #expect(event.subject == subject)
        #expect(event.kind?.rawValue == type)
        #expect(event.id == "1:2")
        #expect(event.isDeletion)
    }

    @Test(
        "the date of an event is read in milliseconds and seconds",
        arguments: [(1_355_349_183_060.0, 1_355_349_183.06), (1_355_349_119, 1_355_349_119)]
    )
    func dates(timestamp: Double, seconds: Double) throws {
        let event = StreamEvent(subject: .other(nil), meta: ResponseMeta(timestamp: timestamp))
        #expect(event.date == Date(timeIntervalSince1970: seconds))
    }

    @Test("an event of a deletion may have no data")
    func withoutData() throws {
        let event = try Self.event(#"{"meta":{"type":"post","is_deleted":true,"id":"9"}}"#)
        #expect(event.subject == .other(nil))
        #expect(event.kind == .post && event.isDeletion)
    }

    @Test("an event may be a control message of the stream")
    func control() throws {
        let event = try Self.event(#"{"control":{"buffer":"filling"}}"#)
        #expect(event.subject == .control(["buffer": "filling"]))
        #expect(event.kind == nil)
    }

    @Test("an event of pnut.io is decoded with its names and lists")
    func pnut() throws {
        let posts = try Self.event(
            #"{"meta":{"type":"post"},"data":[{"id":"1","content":{"text":"hello"}},{"id":"2"}]}"#,
            dialect: .pnut
        )
        #expect(posts.subject == .posts([Post(id: 1, text: "hello"), Post(id: 2)]))
        let follow = try Self.event(
            #"{"meta":{"type":"follow"},"data":{"followed_user":\#(Self.other),"user":\#(Self.user)}}"#,
            dialect: .pnut
        )
        #expect(follow.subject == .follow(of: Self.bob, by: Self.alice))
        let bookmark = try Self.event(
            #"{"meta":{"type":"bookmark"},"data":{"post":{"id":"3","content":{"text":"x"}},"user":\#(Self.user)}}"#,
            dialect: .pnut
        )
        #expect(bookmark.subject == .star(Post(id: 3, text: "x"), by: Self.alice))
        let presence = try Self.event(#"{"meta":{"type":"user_presence"},"data":{"id":"1"}}"#, dialect: .pnut)
        #expect(presence.kind == .userPresence)
    }
}
