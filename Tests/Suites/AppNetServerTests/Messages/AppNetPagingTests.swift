import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Pages of App.net", .timeLimit(.minutes(5)))
struct AppNetPagingTests {
    /// A channel with messages 1 to 10.
    private func withTen(_ body: (AppNetPeer, String) async throws -> Void) async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            for number in 1...10 { try await alice.createMessage("\(number)", in: id) }
            try await body(alice, "channels/\(id)/messages")
        }
    }

    @Test(
        "a page is newest first, and tells whether more items follow in its direction",
        arguments: [
            ("", [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], false), ("count=3", [10, 9, 8], true),
            ("before_id=9&since_id=2&count=2", [8, 7], true), ("before_id=9&since_id=2&count=-2", [4, 3], true),
            ("since_id=8", [10, 9], false), ("since_id=5&count=2", [10, 9], true), ("count=-3", [3, 2, 1], true),
            ("since_id=7&count=-3", [10, 9, 8], false), ("before_id=1", [], false), ("since_id=10", [], false),
            ("before_id=3&count=5", [2, 1], false), ("count=0", [], true),
            ("count=1000", Array((1...10).reversed()), false),
            ("since_id=last_read", Array((1...10).reversed()), false),
        ]
    )
    func pages(_ query: String, _ ids: [Int], _ more: Bool) async throws {
        try await withTen { alice, path in
            let page = try await alice.send("GET", "\(path)?\(query)")
            #expect(page.ids == ids.map(String.init))
            #expect(page.meta["more"] == .bool(more))
            #expect(page.meta["max_id"]?.stringValue == ids.first.map(String.init))
            #expect(page.meta["min_id"]?.stringValue == ids.last.map(String.init))
            #expect(page.meta["marker"]?["name"] == "channel:1")
        }
    }

    @Test(
        "a page begins at a marker, with or without its item",
        arguments: [
            ("since_id=marker&count=-2", ["5", "4"]), ("since_id=marker_inclusive&count=-2", ["4", "3"]),
            ("since_id=last_read&count=-1", ["8"]), ("before_id=last_read&count=1", ["6"]),
            ("before_id=last_read_inclusive&count=1", ["7"]),
        ]
    )
    func markers(_ query: String, _ ids: [String]) async throws {
        try await withTen { alice, path in
            try await alice.post("posts/marker", #"{"name":"channel:1","id":"7"}"#)
            try await alice.post("posts/marker", #"{"name":"channel:1","id":3,"percentage":50}"#)
            let page = try await alice.send("GET", "\(path)?\(query)")
            #expect(page.ids == ids)
            #expect(page.meta["marker"]?["id"] == "3" && page.meta["marker"]?["last_read_id"] == "7")
        }
    }

    @Test("invalid bounds of a page are refused", arguments: ["since_id=x", "count=x", "before_id=-1"])
    func refusals(_ query: String) async throws {
        try await withTen { alice, path async throws in
            #expect(try await alice.send("GET", "\(path)?\(query)").status == 400)
            #expect(try await alice.send("GET", "users/me/messages?since_id=last_read").status == 400)
        }
    }

    @Test("a page is full although hidden messages are between those that it has")
    func hidden() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel(#"{"type":"com.example.notes","writers":{"any_user":true}}"#)
            for number in 1...30 { try await (number % 10 == 0 ? alice : alice.user(1)).createMessage("x", in: id) }
            try await alice.post("users/2/mute")
            let page = try await alice.send("GET", "channels/\(id)/messages?count=2")
            #expect(page.ids == ["30", "20"] && page.meta["more"] == .bool(true))
            let forward = try await alice.send("GET", "channels/\(id)/messages?count=-2")
            #expect(forward.ids == ["20", "10"] && forward.meta["more"] == .bool(true))
        }
    }

    @Test("markers are set one or many at a time, do not move back, and are reset on request")
    func markerUpdates() async throws {
        try await withAppNet { alice in
            let first = try await alice.post("posts/marker", #"{"name":"global","id":"9","percentage":10}"#)
            #expect(first["last_read_id"] == "9" && first["percentage"] == .integer(10))
            let list = #"[{"name":"global","id":"4"},{"name":"tag:swift","id":"1"}]"#
            let second = try await alice.post("posts/marker", list)
            #expect(second.arrayValue?.first?["last_read_id"] == "9" && second.arrayValue?.count == 2)
            #expect(second.arrayValue?.first?["version"] != first["version"])
            let reset = try await alice.post("posts/marker?reset_read_id=1", #"{"name":"global","id":"4"}"#)
            #expect(reset["last_read_id"] == "4")
            for wrong in [
                #"{"name":"other","id":"1"}"#, #"{"name":"global"}"#, #"{"name":"global","id":"1","percentage":101}"#,
            ] {
                #expect(try await alice.send("POST", "posts/marker", wrong).status == 400)
            }
        }
    }
}

@Suite("Pages of App.net while messages arrive", .timeLimit(.minutes(5)))
struct AppNetPagingConcurrencyTests {
    @Test("a walk through pages misses and repeats no message, in either direction")
    func walk() async throws {
        try await withAppNet { alice in
            let id = try await alice.createChannel()
            for _ in 1...20 { try await alice.createMessage("old", in: id) }
            try await withThrowingTaskGroup(of: [Int].self) { group in
                group.addTask {
                    for _ in 1...40 { try await alice.createMessage("new", in: id) }
                    return []
                }
                group.addTask {
                    var (ids, before) = ([Int](), "")
                    while true {
                        let page = try await alice.send("GET", "channels/\(id)/messages?count=3\(before)")
                        ids += page.ids.compactMap { Int($0) }
                        guard page.meta["more"] == .bool(true), let last = page.meta["min_id"]?.stringValue else {
                            break
                        }
                        before = "&before_id=\(last)"
                    }
                    // What was there when the walk began.
                    #expect(ids == Array((1...(ids.first ?? 0)).reversed()))
                    return []
                }
                group.addTask {
                    var (ids, since) = ([Int](), "0")
                    while ids.count < 60 {
                        let page = try await alice.send("GET", "channels/\(id)/messages?count=-7&since_id=\(since)")
                        ids += page.ids.compactMap { Int($0) }.reversed()
                        since = page.meta["max_id"]?.stringValue ?? since
                    }
                    #expect(ids == Array(1...60))
                    return []
                }
                for try await _ in group {}
            }
        }
    }
}
