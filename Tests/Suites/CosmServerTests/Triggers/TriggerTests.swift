import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import ServerSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Triggers of Cosm", .timeLimit(.minutes(5)))
struct TriggerTests {
    /// The JSON in the form field of a notification.
    private func notification(_ request: FaultServer.ReceivedRequest) throws -> TestJSON {
        let form = String(decoding: request.body, as: UTF8.self)
        let value = try #require(form.hasPrefix("body=") ? form.dropFirst(5) : nil)
        return try TestJSON(parsing: PercentEncoding.decodedFormText(value))
    }

    /// Runs `body` with a server whose triggers may send to this machine, where the tests' receivers are.
    private func withLocalTargets(
        _ change: (inout CosmConfiguration) -> Void = { _ in },
        _ body: (CosmPeer) async throws -> Void
    ) async throws {
        try await withCosm(
            {
                $0.allowsLocalTriggerTargets = true
                change(&$0)
            },
            body
        )
    }

    private func trigger(_ url: String, _ type: String, _ threshold: String = "null") -> String {
        #"{"environment_id":"1","stream_id":"temp","url":"\#(url.replacing("/", with: #"\/"#))/hook","trigger_type":"\#(type)","threshold_value":\#(threshold)}"#
    }

    @Test("a trigger is created with 201 and its address, and read and listed by its feed")
    func creation() async throws {
        try await withLocalTargets {
            $0.owner = "ann"
            $0.firstTriggerID = 14
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            let created = try await peer.post("/triggers", trigger("http://127.0.0.1:9", "LT", "\"15\""))
            #expect(created.status == 201)
            #expect(created["location"] == "\(peer.base)/triggers/14")
            let expected: TestJSON = [
                "id": 14, "environment_id": 1, "stream_id": "temp", "url": "http://127.0.0.1:9/hook",
                "trigger_type": "lt", "threshold_value": "15.0", "notified_at": "", "user": "ann",
            ]
            #expect(try await peer.document("/triggers/14") == expected)
            #expect(try await peer.document("/triggers") == [expected])
            #expect(try await peer.document("/triggers?feed_id=2") == [])
        }
    }

    @Test("a trigger's threshold is changed by PUT, and is listed in XML")
    func change() async throws {
        try await withLocalTargets { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            let id = try #require(
                try await peer.post("/triggers", trigger("http://127.0.0.1:9", "LT", "\"15\"")).location
            )
            let path = "/triggers/\(id)"
            #expect(try await peer.put(path, #"{"threshold_value":20.5,"id":3,"user":"x"}"#).status == 200)
            #expect(try await peer.document(path)["threshold_value"] == "20.5")
            let xml = try XMLNode.parse(try await peer.get("/triggers.xml").body)
            #expect(xml.name == "datastream-triggers")
            #expect(xml.child("datastream-trigger")?.text("threshold-value") == "20.5")
            #expect(xml.child("datastream-trigger")?.child("notified-at")?.attributes == ["type": "datetime"])
        }
    }

    @Test("a trigger is deleted by DELETE, and with its feed")
    func deletion() async throws {
        try await withLocalTargets {
            $0.firstTriggerID = 14
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            _ = try await peer.post("/triggers", trigger("http://127.0.0.1:9", "LT", "\"15\""))
            #expect(try await peer.delete("/triggers/14").status == 200)
            #expect(try await peer.get("/triggers/14").status == 404)
            #expect(
                try await peer.post(
                    "/triggers.xml",
                    "<datastream-trigger><url>http://h/</url><trigger-type>change</trigger-type><environment-id>1</environment-id><stream-id>temp</stream-id></datastream-trigger>"
                ).location == "15"
            )
            #expect(try await peer.delete("/feeds/1").status == 200)
            #expect(try await peer.get("/triggers/15").status == 404)
        }
    }

    @Test(
        "an invalid trigger is refused with 422",
        arguments: [
            #"{"environment_id":9,"stream_id":"temp","url":"http://h/","trigger_type":"change"}"#,
            #"{"environment_id":1,"stream_id":"none","url":"http://h/","trigger_type":"change"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"gopher://h/","trigger_type":"change"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"","trigger_type":"change"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"http://h/","trigger_type":"sometimes"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"http://h/","trigger_type":"gt","threshold_value":"warm"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"http://h/","trigger_type":"gt"}"#,
            #"{"environment_id":1,"stream_id":"temp","url":"http://h/"}"#, #"{"environment_id":"x"}"#,
        ]
    )
    func invalid(_ body: String) async throws {
        try await withLocalTargets { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            #expect(try await peer.post("/triggers", body).status == 422)
        }
    }

    @Test(
        "a key without access is refused as such, also while no more triggers can be stored",
        arguments: [
            #"{"access_methods":["get","put","delete"]}"#,
            #"{"access_methods":["post"],"resources":[{"feed_id":2}]}"#,
            #"{"access_methods":["post"],"resources":[{"feed_id":1,"datastream_id":"other"}]}"#,
        ]
    )
    func accessComesFirst(_ permission: String) async throws {
        try await withLocalTargets {
            $0.maxima.triggers = 1
        } _: { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp"}]}"#)
            let key = try await peer.createKey(#"{"key":{"label":"k","permissions":[\#(permission)]}}"#)
            let limited = CosmPeer(peer.running, key: key)
            let body = trigger("http://127.0.0.1:9", "change")
            let refused = try await limited.post("/triggers", body)
            #expect(refused.status == 403)
            #expect(refused.errors == CosmFailure.forbidden.errors)
            #expect(try await peer.post("/triggers", body).status == 201)
            #expect(try await limited.post("/triggers", body).errors == refused.errors)
            #expect(try await peer.post("/triggers", body).errors == ["No more triggers can be stored"])
        }
    }

    @Test("a trigger posts a form with JSON that has both names of the value, as numbers")
    func notifies() async throws {
        let clock = HandClock("2013-02-01T09:00:00Z")
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { receiver in
            try await withLocalTargets {
                $0.clock = clock.clock
            } _: { peer in
                try await peer.createFeed(
                    #"{"title":"Shed","location":{"lat":51.2,"lon":-0.4,"name":"Garden"},"datastreams":[{"id":"temp","current_value":"-4"}]}"#
                )
                #expect(try await peer.post("/triggers", trigger(receiver.url, "gte", "20")).status == 201)
                clock.advance(seconds: 3)
                #expect(try await peer.put("/feeds/1/datastreams/temp", #"{"current_value":"19.9"}"#).status == 200)
                #expect(try await peer.put("/feeds/1/datastreams/temp", #"{"current_value":"20.5"}"#).status == 200)
                #expect(await receiver.wait { $0.requestCount == 1 })
                let request = try #require(receiver.requests.first)
                #expect(request.method == "POST")
                #expect(request.target == "/hook")
                #expect(request.values(of: "content-type") == ["application/x-www-form-urlencoded"])
                let expected = try TestJSON(
                    parsing: """
                        {"id":1,"type":"gte","threshold_value":20.0,"timestamp":"2013-02-01T09:00:03.000000Z",
                        "url":"\(peer.base)/triggers/1",
                        "environment":{"id":1,"title":"Shed","description":"","feed":"\(peer.base)/feeds/1",
                        "location":{"lat":51.2,"lng":-0.4,"name":"Garden"}},
                        "triggering_datastream":{"id":"temp","at":"2013-02-01T09:00:03.000000Z",
                        "url":"\(peer.base)/feeds/1/datastreams/temp",
                        "value":{"value":20.5,"current_value":20.5,"max_value":20.5,"min_value":-4.0}}}
                        """
                )
                #expect(try notification(request) == expected)
                #expect(try await peer.document("/triggers/1")["notified_at"] == "2013-02-01T09:00:03.000000Z")
            }
        }
    }

    @Test("a trigger sends at most one notification in five seconds, one after the other")
    func spacing() async throws {
        let clock = HandClock("2013-02-01T09:00:00Z")
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { receiver in
            try await withLocalTargets {
                $0.clock = clock.clock
            } _: { peer in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                #expect(try await peer.post("/triggers", trigger(receiver.url, "change")).status == 201)
                for (seconds, value) in [(1, "1"), (1, "2"), (3, "3"), (1, "4"), (5, "4"), (1, "5")] {
                    clock.advance(seconds: Int64(seconds))
                    #expect(try await peer.put("/feeds/1.csv", "temp,\(value)").status == 200)
                }
                #expect(await receiver.wait { $0.requestCount == 3 })
                let values = try receiver.requests.map {
                    try notification($0)["triggering_datastream", "value", "value"]?.doubleValue
                }
                #expect(values == [1, 4, 5])
                let control = peer.running.cosm
                #expect(control.droppedNotifications == 0)
            }
        }
    }

    @Test("a frozen trigger fires once in a silence, and a live trigger at the first value after it")
    func silence() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { receiver in
            try await withLocalTargets { peer in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"1"}]}"#)
                #expect(try await peer.post("/triggers", trigger(receiver.url, "frozen")).status == 201)
                #expect(try await peer.post("/triggers", trigger(receiver.url, "live")).status == 201)
                #expect(try await peer.put("/feeds/1.csv", "temp,2").status == 200)
                peer.running.cosm.setClockOffset(.seconds(901))
                #expect(await receiver.wait { $0.requestCount == 1 })
                #expect(try notification(try #require(receiver.requests.last))["type"] == "frozen")
                // The same silence is told once.
                peer.running.cosm.setClockOffset(.seconds(2_000))
                #expect(try await peer.put("/feeds/1.csv", "temp,2").status == 200)
                #expect(await receiver.wait { $0.requestCount == 2 })
                #expect(try notification(try #require(receiver.requests.last))["type"] == "live")
                peer.running.cosm.setClockOffset(.seconds(3_000))
                #expect(await receiver.wait { $0.requestCount == 3 })
                #expect(try notification(try #require(receiver.requests.last))["type"] == "frozen")
            }
        }
    }

    @Test("notifications of a trigger are sent one after the other, and a slow receiver delays no other trigger")
    func oneAtATime() async throws {
        let clock = HandClock("2013-02-01T09:00:00Z")
        let gate = FaultServer.Gate()
        let script: FaultServer.Script = { request in
            request.path == "/slow/hook"
                ? [.send(whenOpen: gate, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")] : [.answer()]
        }
        try await FaultServer.run(script) { receiver in
            func count(_ path: String) -> Int { receiver.requests.count { $0.path == path } }
            try await withLocalTargets {
                $0.clock = clock.clock
            } _: { peer in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                for path in ["/slow", "/fast"] {
                    #expect(try await peer.post("/triggers", trigger(receiver.url + path, "change")).status == 201)
                }
                for value in 1...2 {
                    clock.advance(seconds: 5)
                    #expect(try await peer.put("/feeds/1.csv", "temp,\(value)").status == 200)
                    #expect(await receiver.wait { _ in count("/fast/hook") == value && count("/slow/hook") == 1 })
                }
                #expect(count("/slow/hook") == 1)
                gate.open()
                #expect(await receiver.wait { _ in count("/slow/hook") == 2 })
                gate.open()
                #expect(await receiver.wait { _ in peer.running.cosm.deliveredNotifications == 4 })
            }
        }
    }

    @Test("a notification is delivered if the head of the response is a success, whatever its body is")
    func unreadableResponse() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n"
        let script: FaultServer.Script = { request in
            request.path == "/cut/hook"
                ? [.send("\(head)\r\nshort"), .close] : [.send("\(head)Content-Encoding: br\r\n\r\nshort"), .close]
        }
        try await FaultServer.run(script) { receiver in
            try await withLocalTargets { peer in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                for path in ["/cut", "/coded"] {
                    #expect(try await peer.post("/triggers", trigger(receiver.url + path, "change")).status == 201)
                }
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(await receiver.wait { _ in peer.running.cosm.deliveredNotifications == 2 })
                #expect(peer.running.cosm.failedNotifications == 0)
            }
        }
    }

    @Test("failed notifications are counted, and delay no other trigger")
    func failures() async throws {
        try await FaultServer.run({ $0.path == "/hook" ? [.answer(500)] : [.answer()] }) { receiver in
            try await withLocalTargets { peer in
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                #expect(try await peer.post("/triggers", trigger(receiver.url, "change")).status == 201)
                #expect(try await peer.post("/triggers", trigger("http://127.0.0.1:1", "change")).status == 201)
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(await receiver.wait { _ in peer.running.cosm.failedNotifications == 2 })
                #expect(peer.running.cosm.deliveredNotifications == 0)
            }
        }
    }

    @Test("a trigger may watch another account's public feed, and not a private one")
    func others() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { receiver in
            try await withLocalTargets { peer in
                #expect(try await peer.post("/users", #"{"user":{"login":"alice"}}"#).status == 201)
                let user = try await peer.document("/users/alice")
                let secret = try #require(user["user", "api_key"]?.stringValue)
                let alice = CosmPeer(peer.running, key: secret)
                try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
                #expect(try await alice.post("/triggers", trigger(receiver.url, "change")).status == 201)
                #expect(try await peer.get("/triggers/1").status == 404)
                #expect(try await peer.put("/feeds/1.csv", "temp,1").status == 200)
                #expect(await receiver.wait { $0.requestCount == 1 })
                #expect(try await peer.put("/feeds/1", #"{"private":true}"#).status == 200)
                peer.running.cosm.setClockOffset(.seconds(10))
                #expect(try await peer.put("/feeds/1.csv", "temp,2").status == 200)
                #expect(try await alice.document("/triggers/1")["notified_at"]?.stringValue?.isEmpty == false)
                #expect(try await alice.post("/triggers", trigger(receiver.url, "change")).status == 422)
                #expect(receiver.requestCount == 1)
            }
        }
    }

    /// A change that is made while a notification waits.
    enum Withdrawal: String, CaseIterable, CustomTestStringConvertible {
        case none, trigger, key, address, datastream, feed, rights

        var testDescription: String { rawValue }
    }

    @Test("a queued notification is not sent after its trigger or key changed", arguments: Withdrawal.allCases)
    func withdrawn(withdrawal: Withdrawal) async throws {
        try await withLocalTargets { peer in
            try await peer.createFeed(#"{"title":"T","datastreams":[{"id":"temp","current_value":"0"}]}"#)
            let document = #"{"key":{"label":"k","permissions":[{"access_methods":["get","put","post"]}]}}"#
            let secret = try #require(try await peer.post("/keys", document).location?.split(separator: "/").last)
            let writer = CosmPeer(peer.running, key: String(secret))
            let created = try await writer.post("/triggers", trigger("http://127.0.0.1:1/a", "change"))
            #expect(created.status == 201, "\(created.text)")
            let state = peer.running.cosm.state
            let notification = try await state.store.read { database in
                let trigger = try #require(try TriggerTable(database: database).trigger(1))
                let stream = try #require(try DatastreamTable(database: database).datastream("temp", of: 1))
                let feed = try #require(try FeedTable(database: database).feed(1))
                let use = masterUse()
                return TriggerNotification(
                    trigger: trigger,
                    stream: try use.grant(stream, of: feed),
                    feed: try use.grant(feed),
                    at: state.now()
                )
            }
            let change =
                switch withdrawal {
                case .none: try await peer.put("/feeds/1", #"{"title":"U"}"#)
                case .trigger: try await peer.delete("/triggers/1")
                case .key: try await peer.delete("/keys/\(secret)")
                case .address: try await writer.put("/triggers/1", trigger("http://127.0.0.1:2/b", "change"))
                case .datastream: try await peer.delete("/feeds/1/datastreams/temp")
                case .feed: try await peer.delete("/feeds/1")
                case .rights:
                    try await peer.put(
                        "/keys/\(secret)",
                        #"{"key":{"label":"k","permissions":[{"access_methods":["put"]}]}}"#
                    )
                }
            #expect(change.status == 200, "\(change.text)")
            #expect(await state.isCurrent(notification) == (withdrawal == .none))
        }
    }

    @Test("notifications that do not fit into the queue are dropped and counted")
    func bounded() throws {
        let dispatcher = TriggerDispatcher(capacity: 3, allowsLocalTargets: false)
        dispatcher.send(try (1...5).map { try firing(trigger: $0) })
        #expect(dispatcher.counts == TriggerDispatcher.Counts(delivered: 0, failed: 0, dropped: 2))
    }
}

/// A notification of a trigger that an account owns.
private func firing(
    trigger id: Int,
    of owner: String = "ann",
    to receiver: String? = nil
) throws -> TriggerNotification {
    let time = stamp("2013-02-01T00:00:00Z")
    let feed = FeedRecord(id: 1, owner: "ann", title: "t", created: time, updated: time)
    let stream = DatastreamRecord(number: 1, feed: 1, id: "a")
    var trigger = TriggerRecord.blank
    trigger.id = id
    trigger.owner = owner
    // Each trigger has another receiver unless one is given.
    trigger.url = "http://\(receiver ?? "receiver\(id)").example.com/\(id)"
    let use = masterUse()
    return TriggerNotification(
        trigger: trigger,
        stream: try use.grant(stream, of: feed),
        feed: try use.grant(feed),
        at: time
    )
}

@Suite("Queue of the notifications of Cosm's triggers")
struct NotificationQueueTests {
    @Test("an account has a share of the transfers, and its slow receivers leave the others to other accounts")
    func sharesTransfers() throws {
        var queue = NotificationQueue(capacity: 1_000)
        for id in 1...40 { #expect(!queue.append(try firing(trigger: id, of: "ann"))) }
        let first = queue.takeReady(at: .zero)
        #expect(first.map(\.trigger.id) == [1, 2, 3, 4])
        // None of them ends. Other accounts get the rest, each its share.
        for id in 101...140 { _ = queue.append(try firing(trigger: id, of: "bob")) }
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [101, 102, 103, 104])
        for id in 201...240 { _ = queue.append(try firing(trigger: id, of: "cy")) }
        for id in 301...340 { _ = queue.append(try firing(trigger: id, of: "dan")) }
        // The last ones are for accounts that have none.
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [201, 202, 203, 204, 301])
        for id in 401...440 { _ = queue.append(try firing(trigger: id, of: "eve")) }
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [401])
        for notification in first { queue.ended(notification, at: .zero) }
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [5, 6])
    }

    @Test("a receiver has a share of the transfers, whatever accounts, ports and paths send to it")
    func sharesReceivers() throws {
        var queue = NotificationQueue(capacity: 1_000)
        for id in 1...8 { _ = queue.append(try firing(trigger: id, of: "owner\(id)", to: id % 2 == 0 ? "One" : "one")) }
        _ = queue.append(try firing(trigger: 9, of: "owner9", to: "two"))
        let first = queue.takeReady(at: .zero)
        #expect(first.map(\.trigger.id) == [1, 2, 3, 4, 9])
        queue.ended(first[0], at: .zero)
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [5])
    }

    @Test("an account leaves a transfer to a receiver that others use too, also if the receiver does not respond to it")
    func sharesReceiverBetweenAccounts() throws {
        var queue = NotificationQueue(capacity: 1_000)
        for id in 1...40 { _ = queue.append(try firing(trigger: id, of: "ann", to: "shared")) }
        let first = queue.takeReady(at: .zero)
        #expect(first.map(\.trigger.id) == [1, 2, 3])
        _ = queue.append(try firing(trigger: 101, of: "bob", to: "shared"))
        let others = queue.takeReady(at: .zero)
        #expect(others.map(\.trigger.id) == [101])
        // The transfer stays free for others, however long the queue of the account is.
        queue.ended(others[0], at: .zero)
        #expect(queue.takeReady(at: .zero).isEmpty)
        queue.ended(first[0], at: .zero)
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [4])
    }

    @Test("silent receivers of many accounts leave transfers to others, also if each has an address of its own")
    func silentReceivers() throws {
        var queue = NotificationQueue(capacity: 1_000)
        let owners = (1...4).map { "slow\($0)" }
        func fire(_ round: Int) throws {
            for (index, owner) in owners.enumerated() {
                for id in 0..<4 {
                    let id = index * 10 + id
                    _ = queue.append(try firing(trigger: round * 100 + id, of: owner, to: "silent\(id)"))
                }
            }
        }
        try fire(1)
        let first = queue.takeReady(at: .zero)
        #expect(first.count == NotificationQueue.maximumTransfers - NotificationQueue.reservedTransfers + 1)
        // After one deadline they are known to be slow.
        let later = TriggerDispatcher.deadline
        for notification in first { queue.ended(notification, at: later) }
        try fire(2)
        #expect(queue.takeReady(at: later).count == NotificationQueue.slowTransfers)
        for id in 901...904 { _ = queue.append(try firing(trigger: id, of: "ann")) }
        #expect(queue.takeReady(at: later).map(\.trigger.id) == [901, 902, 903, 904])
    }

    @Test("accounts whose receivers do not respond leave transfers to others, also if each receiver has a new name")
    func freshReceivers() throws {
        var queue = NotificationQueue(capacity: 1_000)
        var next = 1
        func fire() throws {
            for owner in 1...4 {
                for _ in 0..<4 {
                    _ = queue.append(try firing(trigger: next, of: "slow\(owner)"))
                    next += 1
                }
            }
        }
        try fire()
        let first = queue.takeReady(at: .zero)
        _ = queue.append(try firing(trigger: 901, of: "ann"))
        let ann = queue.takeReady(at: .zero)
        #expect(ann.map(\.trigger.id) == [901])
        // After one deadline they are slow. No receiver is known yet. The account of another receiver is not slow.
        let later = TriggerDispatcher.deadline
        for notification in ann { queue.ended(notification, at: .milliseconds(900)) }
        for notification in first { queue.ended(notification, at: later) }
        try fire()
        #expect(queue.takeReady(at: later).count == NotificationQueue.slowTransfers)
        for id in 902...905 { _ = queue.append(try firing(trigger: id, of: "ann")) }
        #expect(queue.takeReady(at: later).map(\.trigger.id) == [902, 903, 904, 905])
    }

    @Test("accounts with receivers that respond and others that do not leave transfers to others")
    func alternatingReceivers() throws {
        var queue = NotificationQueue(capacity: 1_000)
        var next = 1_000
        var now = Duration.zero
        for round in 0..<4 {
            for owner in 1...8 {
                for receiver in ["quick\(owner)", "silent\(next + 1)", "silent\(next + 2)", "silent\(next + 3)"] {
                    _ = queue.append(try firing(trigger: next, of: "owner\(owner)", to: receiver))
                    next += 1
                }
            }
            // The quick ones succeed at once, before and after those that are silent until their deadline.
            var silent: [TriggerNotification] = []
            var taken = queue.takeReady(at: now)
            while !taken.isEmpty {
                for notification in taken {
                    if notification.receiver.hasPrefix("quick") {
                        queue.ended(notification, at: now)
                    } else {
                        silent.append(notification)
                    }
                }
                taken = queue.takeReady(at: now)
            }
            #expect(silent.count >= NotificationQueue.slowTransfers)
            if round > 0 {
                #expect(silent.count == NotificationQueue.slowTransfers)
                for id in 1...4 { _ = queue.append(try firing(trigger: id, of: "ann")) }
                let others = queue.takeReady(at: now)
                #expect(others.map(\.trigger.id) == [1, 2, 3, 4])
                for notification in others { queue.ended(notification, at: now) }
            }
            now += TriggerDispatcher.deadline
            for notification in silent { queue.ended(notification, at: now) }
        }
    }

    @Test("transfers that are under way for long count as slow before they end")
    func slowUnderWay() throws {
        var queue = NotificationQueue(capacity: 1_000)
        func fire(_ first: Int) throws {
            for id in first..<(first + 20) { _ = queue.append(try firing(trigger: id, of: "owner\(id % 4)")) }
        }
        try fire(1)
        let first = queue.takeReady(at: .zero)
        #expect(first.count == NotificationQueue.maximumTransfers - NotificationQueue.reservedTransfers)
        // One of each account ends, which leaves as many as all slow ones may have.
        for notification in first.prefix(4) { queue.ended(notification, at: .zero) }
        #expect(queue.takeReady(at: SlowNames.threshold).isEmpty)
        queue.ended(first[4], at: SlowNames.threshold)
        #expect(queue.takeReady(at: SlowNames.threshold).count == 1)
    }

    @Test("a slow account has its share of all transfers again after a time, and not by a success")
    func forgottenSlowness() throws {
        var queue = NotificationQueue(capacity: 1_000)
        var next = 1
        /// Fires notifications of three accounts, and returns how many are sent at a time.
        func sent(at now: Duration, for duration: Duration) throws -> Int {
            for id in 0..<12 {
                _ = queue.append(try firing(trigger: next, of: "owner\(id % 3)"))
                next += 1
            }
            var all: [TriggerNotification] = []
            let first = queue.takeReady(at: now)
            all += first
            for notification in first { queue.ended(notification, at: now + duration) }
            while true {
                let more = queue.takeReady(at: now + duration)
                if more.isEmpty { break }
                for notification in more { queue.ended(notification, at: now + duration) }
            }
            return first.count
        }
        #expect(try sent(at: .zero, for: SlowNames.threshold) == 12)
        let slow = SlowNames.threshold
        #expect(try sent(at: slow, for: .zero) == NotificationQueue.slowTransfers)
        #expect(try sent(at: slow + SlowNames.memory - .seconds(1), for: .zero) == NotificationQueue.slowTransfers)
        #expect(try sent(at: slow + SlowNames.memory, for: .zero) == 12)
    }

    @Test("no more than a fixed number of slow names is remembered, the latest")
    func limitedNames() {
        var names = SlowNames()
        for number in 0...SlowNames.maximumNames { names.insert("name\(number)", at: .milliseconds(number)) }
        #expect(!names.contains("name0", at: .seconds(2)))
        #expect(names.contains("name1", at: .seconds(2)))
        #expect(names.contains("name\(SlowNames.maximumNames)", at: .seconds(2)))
    }

    @Test("notifications of one trigger are taken one at a time, in order")
    func oneOfATrigger() throws {
        var queue = NotificationQueue(capacity: 10)
        for _ in 0..<2 { _ = queue.append(try firing(trigger: 7)) }
        let first = queue.takeReady(at: .zero)
        #expect(first.count == 1)
        #expect(queue.takeReady(at: .zero).isEmpty)
        queue.ended(first[0], at: .zero)
        #expect(queue.takeReady(at: .zero).count == 1)
    }

    @Test("a full queue drops the notifications of the account that has most of it")
    func sharesQueue() throws {
        var queue = NotificationQueue(capacity: 4)
        for id in 1...4 { #expect(!queue.append(try firing(trigger: id, of: "ann"))) }
        #expect(queue.append(try firing(trigger: 5, of: "ann")))
        #expect(queue.append(try firing(trigger: 6, of: "bob")))
        #expect(queue.append(try firing(trigger: 7, of: "bob")))
        // Both have a half now: a further one is dropped itself.
        #expect(queue.append(try firing(trigger: 8, of: "bob")))
        #expect(queue.takeReady(at: .zero).map(\.trigger.id) == [1, 2, 6, 7])
    }
}
