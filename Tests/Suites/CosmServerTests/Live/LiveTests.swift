import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Live socket of Cosm", .timeLimit(.minutes(5)))
struct LiveTests {
    /// Both transports, each through the same conversation.
    static let clients: [any LiveClient.Type] = [TCPClient.self, WebSocketClient.self]

    private func withClient(
        _ type: any LiveClient.Type,
        _ change: (inout CosmConfiguration) -> Void = { _ in },
        _ body: (any LiveClient, CosmPeer) async throws -> Void
    ) async throws {
        try await withCosm(change) { peer in
            try await peer.createFeed(
                #"{"title":"Shed","datastreams":[{"id":"temp","current_value":"20"},{"id":"hum"}]}"#
            )
            try await body(try await type.init(peer.running), peer)
        }
    }

    @Test("a live client subscribes, puts, gets a push and unsubscribes as documented", arguments: [0, 1])
    func conversation(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer in
            let key = peer.key
            #expect(
                try await client.ask("subscribe", "/feeds/1", key: key, token: "a1")
                    == ["token": "a1", "status": 200, "resource": "/feeds/1"]
            )
            let reply = try await client.ask(
                "put",
                "/feeds/1/datastreams/temp",
                key: key,
                token: "b2",
                body: #"{"current_value":"22"}"#
            )
            #expect(
                reply == [
                    "token": "b2", "status": 200, "resource": "/feeds/1/datastreams/temp",
                    "headers": ["CONTENT_TYPE": "application/json; charset=utf-8"],
                ]
            )
            let push = try await client.receive()
            #expect(push["token"] == "a1")
            #expect(push["resource"] == "/feeds/1")
            #expect(push["status"] == nil)
            #expect(push["body"] == (try await peer.document("/feeds/1")))
            #expect(try await client.ask("unsubscribe", "/feeds/1", key: key, token: "c3")["status"] == 200)
            #expect(try await peer.put("/feeds/1", #"{"title":"New"}"#).status == 200)
            // Nothing is pushed any more: the next that comes is the next reply.
            #expect(try await client.ask("get", "/feeds/1", key: key, token: "d4")["body", "title"] == "New")
        }
    }

    @Test("a live client creates, reads, writes and deletes resources as over HTTP", arguments: [0, 1])
    func methods(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer in
            let key = peer.key
            let created = try await client.ask("post", "/feeds", key: key, token: "1", body: #"{"title":"Two"}"#)
            #expect(created["status"] == 201)
            #expect(created["headers", "LOCATION"]?.stringValue == "\(peer.base)/feeds/2")
            #expect(created["body"] == nil)
            #expect(
                try await client.ask("GET", "/v2/feeds/2.json", key: key)["body"]
                    == (try await peer.document("/feeds/2"))
            )
            #expect(try await client.ask("get", "feeds?per_page=1", key: key)["body", "itemsPerPage"] == 1)
            #expect(
                try await client.ask("get", "/feeds/1.csv", key: key)["body"]?.stringValue?.hasPrefix("temp,") == true
            )
            #expect(try await client.ask("put", "/feeds/1.csv", key: key, body: #""hum,77""#)["status"] == 200)
            #expect(try await peer.document("/feeds/1/datastreams/hum")["current_value"] == "77")
            #expect(try await client.ask("delete", "/feeds/2", key: key)["status"] == 200)
        }
    }

    @Test("a failed live call gets its token, its resource, the status and the error as text", arguments: [0, 1])
    func failures(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer in
            let key = peer.key
            let missing = try await client.ask("get", "/feeds/2", key: key, token: "t")
            #expect(missing["status"] == 404)
            #expect(missing["token"] == "t")
            #expect(missing["resource"] == "/feeds/2")
            #expect(missing["body"]?.stringValue?.hasPrefix("Not found") == true)
            #expect(try await client.ask("unsubsribe", "/feeds/1", key: key)["status"] == 400)
            #expect(try await client.ask("put", "/feeds/1", key: key, body: "{\"title\":\"\"}")["status"] == 422)
        }
    }

    @Test("a live call with an invalid key is 401, and a subscription to what does not exist 404", arguments: [0, 1])
    func refusals(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer async throws in
            let key = peer.key
            for method in ["get", "subscribe", "unsubscribe"] {
                #expect(try await client.ask(method, "/feeds/1", key: "wrong")["status"] == 401, "\(method)")
            }
            #expect(try await client.ask("unsubscribe", "/feeds/1", key: key)["status"] == 200)
            for resource in ["/feeds/9", "/feeds/1/datastreams/none", "/keys"] {
                #expect(try await client.ask("subscribe", resource, key: key)["status"] == 404, "\(resource)")
            }
        }
    }

    @Test("a write of a stream is pushed once to each subscription to the stream and its feed", arguments: [0, 1])
    func pushes(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer in
            let key = peer.key
            // One client gives no token and dispatches on the resource.
            #expect(try await client.ask("subscribe", "/feeds/1/datastreams/temp", key: key)["token"] == nil)
            #expect(
                try await client.ask("subscribe", "/feeds/1/datastreams/hum", key: key, token: "h")["status"] == 200
            )
            #expect(try await client.ask("subscribe", "v2/feeds/1", key: key, token: "new")["status"] == 200)
            #expect(peer.running.cosm.subscriptionCount == 3)
            for value in 1...3 {
                #expect(
                    try await peer.put("/feeds/1/datastreams/temp", #"{"current_value":"\#(value)"}"#).status == 200
                )
                var seen: Set<String> = []
                for _ in 0..<2 {
                    let push = try await client.receive()
                    if push["token"] == nil {
                        #expect(push["resource"] == "/feeds/1/datastreams/temp")
                        #expect(push["body", "current_value"]?.stringValue == "\(value)")
                        #expect(push["body", "version"] == "1.0.0")
                    } else {
                        #expect(push["body", "datastreams", 0, "current_value"]?.stringValue == "\(value)")
                        // Unchanged streams are included.
                        #expect(push["body", "datastreams"]?.arrayValue?.count == 2)
                    }
                    seen.insert(push["resource"]?.stringValue ?? "")
                }
                #expect(seen.count == 2)
            }
        }
    }

    @Test("a second subscription to a resource replaces the first, with its token and its spelling", arguments: [0, 1])
    func repeatedSubscription(_ transport: Int) async throws {
        try await withClient(Self.clients[transport]) { client, peer in
            let key = peer.key
            #expect(try await client.ask("subscribe", "v2/feeds/1", key: key, token: "old")["status"] == 200)
            #expect(try await client.ask("subscribe", "v2/feeds/1", key: key, token: "new")["status"] == 200)
            #expect(peer.running.cosm.subscriptionCount == 1)
            #expect(try await peer.put("/feeds/1/datastreams/temp", #"{"current_value":"1"}"#).status == 200)
            let push = try await client.receive()
            #expect(push["resource"] == "v2/feeds/1")
            #expect(push["token"] == "new")
        }
    }

    @Test("a write is pushed if it changes a current value or a feed's member, and not if it only changes history")
    func whenToPush() async throws {
        try await withClient(TCPClient.self) { client, peer in
            let key = peer.key
            _ = try await client.ask("subscribe", "/feeds/1", key: key, token: "f")
            _ = try await client.ask("subscribe", "/feeds/1/datastreams/temp", key: key, token: "t")
            let points = "/feeds/1/datastreams/temp/datapoints"
            let old = #"{"datapoints":[{"at":"2001-01-01T00:00:00Z","value":"1"}]}"#
            #expect(try await peer.post(points, old).status == 200)
            #expect(try await peer.post(points, #"{"datapoints":[]}"#).status == 200)
            #expect(try await peer.delete(points + "/2001-01-01T00:00:00Z").status == 200)
            // A feed's own member: its subscribers only.
            #expect(try await peer.put("/feeds/1", #"{"title":"New"}"#).status == 200)
            #expect(try await client.receive()["body", "title"] == "New")
            // A new stream changes the feed.
            #expect(try await peer.post("/feeds/1/datastreams", #"{"id":"x"}"#).status == 201)
            #expect(try await client.receive()["body", "datastreams"]?.arrayValue?.count == 3)
            let new =
                #"{"datapoints":[{"at":"2090-01-01T00:00:00Z","value":"9"},{"at":"2090-01-01T00:00:01Z","value":"10"}]}"#
            #expect(try await peer.post(points, new).status == 200)
            let both = [try await client.receive(), try await client.receive()]
            #expect(Set(both.compactMap { $0["token"]?.stringValue }) == ["f", "t"])
            let stream = both.first { $0["token"] == "t" }
            #expect(stream?["body", "current_value"] == "10")
            #expect(stream?["body", "datapoints"] == nil)
        }
    }

    private static let reader = #"{"key":{"label":"r","permissions":[{"access_methods":["get"]}]}}"#

    @Test("a live client with a key for reading does not write")
    func readingKey() async throws {
        try await withClient(TCPClient.self) { client, peer in
            let reader = try await peer.createKey(Self.reader)
            let forbidden = try await client.ask("put", "/feeds/1", key: reader, token: "x", body: "{}")
            #expect(forbidden["body"] == "Forbidden: You are not authorized")
            #expect(forbidden["status"] == 403)
        }
    }

    @Test("a subscription with a reading key is silent while the feed is private, and ends with the key")
    func endOfAccess() async throws {
        try await withClient(TCPClient.self) { client, peer in
            let reader = try await peer.createKey(Self.reader)
            #expect(try await client.ask("subscribe", "/feeds/1", key: reader, token: "r")["status"] == 200)
            #expect(try await peer.put("/feeds/1", #"{"private":true}"#).status == 200)
            #expect(try await client.ask("get", "/feeds/1", key: reader)["status"] == 404)
            #expect(try await peer.put("/feeds/1", #"{"private":false}"#).status == 200)
            #expect(try await client.receive()["token"] == "r")
            #expect(try await peer.delete("/keys/\(reader)").status == 200)
            #expect(peer.running.cosm.subscriptionCount == 0)
        }
    }

    @Test("a subscription ends without a message when its stream or feed is deleted")
    func deletedResource() async throws {
        try await withClient(TCPClient.self) { client, peer in
            _ = try await client.ask("subscribe", "/feeds/1/datastreams/temp", key: peer.key)
            _ = try await client.ask("subscribe", "/feeds/1", key: peer.key)
            #expect(try await peer.delete("/feeds/1/datastreams/temp").status == 200)
            #expect(peer.running.cosm.subscriptionCount == 1)
            #expect(try await peer.delete("/feeds/1").status == 200)
            #expect(peer.running.cosm.subscriptionCount == 0)
            #expect(try await client.ask("get", "/feeds", key: peer.key, token: "last")["token"] == "last")
        }
    }

    @Test("an expired key neither subscribes nor unsubscribes", arguments: [0, 1])
    func expiredKey(_ transport: Int) async throws {
        let clock = HandClock("2013-02-01T00:00:00Z")
        try await withClient(Self.clients[transport]) {
            $0.clock = clock.clock
        } _: { client, peer in
            let key = try await peer.createKey(
                #"{"key":{"label":"x","expires_at":"2013-02-01T00:01:00Z","permissions":[{"access_methods":["get"]}]}}"#
            )
            #expect(try await client.ask("subscribe", "/feeds/1", key: key)["status"] == 200)
            clock.advance(seconds: 60)
            for resource in ["/feeds/1", "/feeds/9"] {
                let refused = try await client.ask("subscribe", resource, key: key)
                #expect(refused["status"] == 401)
                #expect(try await client.ask("unsubscribe", resource, key: key) == refused)
            }
            #expect(peer.running.cosm.subscriptionCount == 1)
            #expect(try await client.ask("unsubscribe", "/feeds/1", key: peer.key)["status"] == 200)
            #expect(peer.running.cosm.subscriptionCount == 0)
        }
    }

    @Test("objects that are joined, cut or spread over lines get a response on a line each")
    func framing() async throws {
        try await withClient(TCPClient.self) { client, peer in
            let frames = (0..<5).map { TCPClient.frame("get", "/feeds/1", key: peer.key, token: "\($0)") }
            try await client.send(frames.joined())
            for number in 0..<5 { #expect(try await client.receive()["token"]?.stringValue == "\(number)") }
            let pretty = frames[0].replacing(",", with: ",\n   ") + "\r\n\r\n"
            for piece in [pretty.prefix(7), pretty.dropFirst(7).prefix(20), pretty.dropFirst(27)] {
                try await client.send(String(piece))
            }
            #expect(try await client.receive()["status"] == 200)
            // A bad object does not end the connection, bad framing does.
            try await client.send(#"{"a":}"#)
            #expect(
                try await client.receive() == ["status": 400, "body": "Syntax Error: the frame is not a JSON object"]
            )
            try await client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.receive()["status"] == 400)
            await #expect(throws: RawConnection.Failure.self) { try await client.receive() }
        }
    }

    @Test("an object of a live client that is too long gets status 400, and the connection ends")
    func tooLong() async throws {
        try await withClient(TCPClient.self) {
            $0.maxima.liveObjectBytes = 1_000
        } _: { client, peer in
            try await client.send(#"{"token":""# + String(repeating: "x", count: 2_000))
            #expect(try await client.receive()["status"] == 400)
            await #expect(throws: RawConnection.Failure.self) { try await client.receive() }
            let socket = try await WebSocketClient(peer.running)
            try await socket.send(String(repeating: "x", count: 2_000))
            #expect(try await socket.frame().code == 1009)
        }
    }

    @Test("a WebSocket of Cosm answers pings, closes with the code, and ends if a rule is broken")
    func webSocketRules() async throws {
        try await withCosm { peer in
            let client = try await WebSocketClient(peer.running)
            try await client.send(9, Array("are you there".utf8))
            #expect(try await client.frame() == .init(opcode: 10, data: Array("are you there".utf8)))
            // A message in pieces, with a ping between them.
            let frame = Array(WebSocketClient.frame("get", "/feeds", key: peer.key, token: "t").utf8)
            try await client.send(1, Array(frame.prefix(10)), isFinal: false)
            try await client.send(9, [])
            try await client.send(0, Array(frame.dropFirst(10)))
            #expect(try await client.frame().opcode == 10)
            #expect(try await client.receive()["token"] == "t")
            try await client.send(8, [0x03, 0xE8])
            let close = try await client.frame()
            #expect(close.opcode == 8)
            #expect(close.code == 1000)
            #expect(try await client.connection.readToEnd().isEmpty)
            // The rules of frames are a table of their own: FrameRuleTests.
            let other = try await WebSocketClient(peer.running)
            try await other.send(2, [1])
            #expect(try await other.frame().code == 1003)
        }
    }

    @Test("a live client that does not read is disconnected, and does not delay others")
    func slowConsumer() async throws {
        try await withClient(TCPClient.self) {
            $0.maxima.liveQueueBytes = 100_000
        } _: { client, peer in
            _ = try await client.ask("subscribe", "/feeds/1", key: peer.key)
            let reader = try TCPClient(peer.running)
            _ = try await reader.ask("subscribe", "/feeds/1/datastreams/hum", key: peer.key)
            let text = String(repeating: "x", count: 60_000)
            var writes = 0
            while peer.running.cosm.subscriptionCount == 2, writes < 500 {
                writes += 1
                let answer = try await peer.put(
                    "/feeds/1",
                    #"{"description":"\#(text)","datastreams":[{"id":"hum","current_value":"\#(writes)"}]}"#
                )
                #expect(answer.status == 200)
                #expect(try await reader.receive()["body", "current_value"]?.stringValue == "\(writes)")
            }
            #expect(writes < 500)
            #expect(peer.running.cosm.subscriptionCount == 1)
        }
    }

    @Test("subscriptions and authenticated live connections are limited")
    func ceilings() async throws {
        try await withClient(TCPClient.self) {
            $0.maxima.liveConnections = 2
            $0.maxima.subscriptions = 1
        } _: { client, peer in
            #expect(try await client.ask("subscribe", "/feeds/1", key: peer.key)["status"] == 200)
            #expect(try await client.ask("subscribe", "/feeds/1/datastreams/hum", key: peer.key)["status"] == 403)
            let second = try await WebSocketClient(peer.running)
            #expect(try await second.ask("get", "/feeds", key: peer.key)["status"] == 200)
            let third = try await WebSocketClient(peer.running)
            // A wrong key is told so, and takes no place.
            #expect(try await third.ask("get", "/feeds", key: "wrong")["status"] == 401)
            #expect(try await third.ask("get", "/feeds", key: peer.key, token: "t")["status"] == 503)
            #expect(try await third.frame().code == 1013)
            try await second.send(8, [0x03, 0xE8])
            _ = try await second.connection.readToEnd()
            try await eventually { peer.running.cosm.liveConnectionCount < 2 }
            let fourth = try TCPClient(peer.running)
            #expect(try await fourth.ask("get", "/feeds", key: peer.key)["status"] == 200)
            #expect(try await client.ask("get", "/feeds", key: peer.key)["status"] == 200)
        }
    }

    @Test("silent live connections do not keep others out, and are closed for new ones")
    func silentConnections() async throws {
        try await withClient(TCPClient.self) {
            $0.maxima.unauthenticatedLiveConnections = 4
        } _: { client, peer in
            #expect(try await client.ask("get", "/feeds", key: peer.key)["status"] == 200)
            let port = peer.running.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) } ?? 0
            var silent: [WebSocketClient] = []
            for _ in 0..<6 { silent.append(try await WebSocketClient(peer.running)) }
            let connections = try (0..<6).map { _ in try RawConnection(port: port) }
            // Eight of these twelve connections are closed for later ones. After that all of them have arrived, so that none
            // takes the place of the next socket.
            let (ends, end) = AsyncStream<Void>.makeStream()
            for connection in connections + silent.map(\.connection) {
                Task {
                    _ = try await connection.readToEnd()
                    end.yield()
                }
            }
            for await _ in ends.prefix(8) {}
            let socket = try await WebSocketClient(peer.running)
            #expect(try await socket.ask("get", "/feeds", key: peer.key)["status"] == 200)
            #expect(try await client.ask("get", "/feeds", key: peer.key)["status"] == 200)
        }
    }

    @Test("a live connection is closed if it sends no valid key in time", arguments: [0, 1])
    func unauthenticated(_ transport: Int) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.firstRequest = .milliseconds(300)
        try await withEmbeddedServer(configuration) { running in
            let type = Self.clients[transport]
            let key = running.ready.cosm.key
            /// Asks over a new connection, again if that was closed before the question came.
            func ask(key: String) async throws -> (client: any LiveClient, status: TestJSON?) {
                while true {
                    do {
                        let client = try await type.init(running)
                        return (client, try await client.ask("get", "/feeds", key: key)["status"])
                    } catch is RawConnection.Failure {
                        try Task.checkCancellation()
                    }
                }
            }
            let (client, status) = try await ask(key: key)
            #expect(status == 200)
            let (stranger, refusal) = try await ask(key: "wrong")
            #expect(refusal == 401)
            defer { withExtendedLifetime(stranger) {} }
            try await eventually { running.cosm.liveConnectionCount == 1 }
            #expect(try await client.ask("get", "/feeds", key: key)["status"] == 200)
        }
    }

    @Test(
        "an object of a live client that stays incomplete ends the connection, also if bytes arrive slowly",
        arguments: [0, 1]
    )
    func drip(_ transport: Int) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.body = .milliseconds(200)
        try await withEmbeddedServer(configuration) { running in
            let key = running.ready.cosm.key
            let connection: RawConnection
            if transport == 0 {
                let client = try TCPClient(running)
                #expect(try await client.ask("get", "/feeds", key: key)["status"] == 200)
                connection = client.connection
                try await connection.send("{")
            } else {
                let client = try await WebSocketClient(running)
                #expect(try await client.ask("get", "/feeds", key: key)["status"] == 200)
                connection = client.connection
                try await connection.send([0x81, 0xFE, 0x10, 0, 1, 2, 3, 4])
            }
            // Fewer bytes than the frame of 4,096 needs, however fast they are sent.
            let dripping = Task {
                for _ in 0..<4_000 where !Task.isCancelled { try await connection.send([1]) }
            }
            let end = try await connection.readToEnd()
            dripping.cancel()
            if transport == 0 {
                #expect(String(decoding: end, as: UTF8.self).contains("\"status\":400"))
            } else {
                #expect(end.prefix(1) == [0x88] && end.dropFirst(2).prefix(2) == [0x03, 0xF0])
            }
        }
    }

    @Test(
        "the control disconnects all live clients, faults change frames, and new connections are accepted",
        arguments: [0, 1]
    )
    func faults(_ transport: Int) async throws {
        let type = Self.clients[transport]
        try await withClient(type) { client, peer in
            peer.running.faults.inject(.status(503), .next(1))
            #expect(try await client.ask("get", "/feeds", key: peer.key)["status"] == 503)
            peer.running.faults.inject(.cut, .path("/v2/feeds/1", next: 1))
            await #expect(throws: RawConnection.Failure.self) { try await client.ask("get", "/feeds/1", key: peer.key) }
            let again = try await type.init(peer.running)
            #expect(try await again.ask("subscribe", "/feeds/1", key: peer.key)["status"] == 200)
            #expect(peer.running.cosm.subscriptionCount == 1)
            peer.running.cosm.dropSockets()
            await #expect(throws: RawConnection.Failure.self) { try await again.receive() }
            let third = try await type.init(peer.running)
            #expect(try await third.ask("get", "/feeds/1", key: peer.key)["status"] == 200)
        }
    }

    @Test("a silent WebSocket of Cosm is pinged, and closed without a response")
    func silence() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.idle = .milliseconds(200)
        try await withEmbeddedServer(configuration) { running in
            // A slow machine may miss the time for the upgrade.
            func open() async throws -> WebSocketClient {
                while true {
                    do { return try await WebSocketClient(running) } catch is RawConnection.Failure {
                        try Task.checkCancellation()
                    }
                }
            }
            let client = try await open()
            #expect(try await client.frame().opcode == 9)
            #expect(try await client.connection.readToEnd().isEmpty)
        }
    }

    @Test("WebSockets of Cosm are closed, and all live connections end, when the server stops")
    func shutdown() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.shutdown = .seconds(300)
        let start = ContinuousClock.now
        let (socket, tcp, silent) = try await withEmbeddedServer(configuration) { running in
            // One that never asks for its upgrade holds up nothing.
            let silent = try RawConnection(port: running.ready.cosm.webSocket.port ?? 0)
            let socket = try await WebSocketClient(running)
            let tcp = try TCPClient(running)
            #expect(try await tcp.ask("get", "/feeds", key: running.ready.cosm.key)["status"] == 200)
            #expect(try await socket.ask("get", "/feeds", key: running.ready.cosm.key)["status"] == 200)
            #expect(running.cosm.liveConnectionCount >= 2)
            return (socket, tcp, silent)
        }
        #expect(ContinuousClock.now - start < .seconds(90))
        #expect(try await socket.frame().code == 1001)
        #expect(try await tcp.connection.readToEnd().isEmpty)
        #expect(try await silent.readToEnd().isEmpty)
    }

    @Test("pushes to live clients keep the order of concurrent writes")
    func order() async throws {
        try await withClient(TCPClient.self) { client, peer in
            _ = try await client.ask("subscribe", "/feeds/1/datastreams/temp", key: peer.key)
            let writers = 4
            let writes = 50
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        let socket = try TCPClient(peer.running)
                        for number in 0..<writes {
                            let body = #"{"current_value":"\#(writer).\#(number)"}"#
                            let reply = try await socket.ask(
                                "put",
                                "/feeds/1/datastreams/temp",
                                key: peer.key,
                                body: body
                            )
                            #expect(reply["status"] == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var last: [Int: Int] = [:]
            var stamps: [String] = []
            for _ in 0..<(writers * writes) {
                let push = try await client.receive()
                let parts = (push["body", "current_value"]?.stringValue ?? "").split(separator: ".").compactMap {
                    Int($0)
                }
                try #require(parts.count == 2)
                #expect(parts[1] == (last[parts[0]] ?? -1) + 1)
                last[parts[0]] = parts[1]
                stamps.append(push["body", "at"]?.stringValue ?? "")
            }
            #expect(last == [0: 49, 1: 49, 2: 49, 3: 49])
            #expect(try await peer.document("/feeds/1/datastreams/temp")["at"]?.stringValue == stamps.max())
        }
    }
}
