import HTTPTypes
import HeliumCore
import HeliumWire
import Testing

@Suite("Requests over HTTP/2")
struct HTTP2RequestTests {
    @Test("the connection begins with the preface and the settings")
    func preface() throws {
        var settings = HTTP2Settings()
        settings.limits.headerBytes = 1000
        settings.limits.headerCount = 10
        let wire = try HTTP2Wire(settings, begins: false)
        #expect(wire.session.wantsToWrite)
        #expect(
            wire.written() == [
                .settings([(1, 4096), (2, 0), (4, 1 << 20), (6, 1320)]), .windowUpdate(32 << 20 - 65535),
            ]
        )
        #expect(!wire.session.wantsToWrite)
        wire.send(.settings([(3, 7)]))
        #expect(wire.session.maximumStreams == 7)
        #expect(wire.written() == [.settingsAcknowledgement])
        wire.send(.settings([(3, 0)]), .settings([(4, 70_000)]))
        #expect(wire.session.maximumStreams == 0)
    }

    @Test("until the peer's settings arrive, it is taken to accept 100 streams")
    func initialStreams() throws {
        let wire = try HTTP2Wire(begins: false)
        #expect(wire.session.maximumStreams == 100)
        wire.send(.settings())
        #expect(wire.session.maximumStreams > 1000)
    }

    @Test("the fields of a request have lower-case names and none that HTTP/2 forbids")
    func fields() throws {
        let wire = try HTTP2Wire()
        var fields = HTTPFields()
        for (name, value) in [
            ("X-Caller", "A\u{E9}"), ("Host", "b"), ("Connection", "X-Caller"), ("Keep-Alive", "1"), ("Upgrade", "h2c"),
            ("Proxy-Connection", "a"), ("Transfer-Encoding", "chunked"), ("TE", "gzip"), ("te", "Trailers"),
            ("HTTP2-Settings", "AA"), ("Content-Length", "9"), ("X-Caller", ""), ("Expect", "100-continue"),
        ] {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let head = RequestHead(
            method: "PUT",
            scheme: "https",
            authority: "a.example:8443",
            target: "/a/../b?c",
            fields: fields,
            acceptEncoding: "gzip",
            body: .length(3)
        )
        let probe = HTTP2Probe()
        probe.supplies = [.bytes(3, isLast: true)]
        let submitted = wire.session.submit(head, for: probe)
        #expect(submitted == 1)
        let frames = wire.written()
        #expect(frames.map(\.type) == [1, 0])
        let expected = [
            ":method: PUT", ":scheme: https", ":authority: a.example:8443", ":path: /a/../b?c", "accept-encoding: gzip",
            "x-caller: A\u{E9}", "te: Trailers", "x-caller: ", "expect: 100-continue", "content-length: 3",
        ]
        #expect(try HPACKText.decode(frames[0].payload) == expected)
    }

    @Test("more fields and longer ones than there is memory for at first")
    func manyFields() throws {
        let wire = try HTTP2Wire()
        var fields = HTTPFields()
        for index in 0..<200 {
            let name = try #require(HTTPField.Name("x-\(index)"))
            fields.append(HTTPField(name: name, value: String(repeating: "v", count: index * 3)))
        }
        let submitted = wire.session.submit(RequestHead(authority: "a", fields: fields), for: HTTP2Probe())
        #expect(submitted == 1)
        let frames = wire.written()
        #expect(frames.map(\.type) == [1, 9, 9, 9])
        let lines = try HPACKText.decode(frames.flatMap(\.payload))
        #expect(lines.count == 204)
        #expect(lines.last == "x-199: " + String(repeating: "v", count: 597))
    }

    static let bodies: [(RequestHead.Body, [BodySupply], [Int], Int)] = [
        (.none, [], [], 1), (.length(0), [], [], 1), (.length(5), [.bytes(5, isLast: true)], [5], 1),
        (.length(5), [.bytes(5, isLast: false)], [5], 1),
        (.length(5), [.bytes(2, isLast: false), .bytes(3, isLast: false)], [2, 3], 2),
        (.unknown, [.end], [0], 1), (.unknown, [.bytes(0, isLast: true)], [0], 1),
        (.unknown, [.bytes(4, isLast: false), .end], [4, 0], 2), (.unknown, [.bytes(4, isLast: true)], [4], 1),
        (.unknown, [.bytes(20_000, isLast: true)], [16_384, 3_616], 2),
    ]

    @Test("the last frame of a body ends the stream", arguments: bodies)
    func body(body: RequestHead.Body, supplies: [BodySupply], counts: [Int], demands: Int) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = supplies
        let head = RequestHead(method: "POST", authority: "a", body: body)
        let submitted = wire.session.submit(head, for: probe)
        #expect(submitted == 1)
        let frames = wire.written()
        #expect(frames.dropFirst().map(\.payload.count) == counts)
        #expect(frames.map { $0.flags & 1 } == [UInt8](repeating: 0, count: frames.count - 1) + [1])
        #expect(counts.isEmpty || probe.demands == demands)
        wire.send(.head(200, on: 1, isLast: true))
        #expect(probe.events.last == "end")
        #expect(wire.written() == [])
    }

    static let failures: [(RequestHead.Body, [BodySupply])] = [
        (.unknown, [.failed]), (.length(5), [.failed]), (.length(5), [.end]), (.length(5), [.bytes(4, isLast: true)]),
        (.length(5), [.bytes(4, isLast: false), .end]), (.length(5), [.bytes(6, isLast: true)]),
        (.length(5), [.bytes(-1, isLast: false)]), (.unknown, [.bytes(1, isLast: false), .failed]),
    ]

    @Test("a body that fails or has another length resets its stream", arguments: failures)
    func failedBody(body: RequestHead.Body, supplies: [BodySupply]) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = supplies
        _ = wire.session.submit(RequestHead(method: "POST", authority: "a", body: body), for: probe)
        let frames = wire.written()
        #expect(probe.events == ["closed"] && probe.end == .requestBody)
        #expect(frames.last == .reset(8, on: 1))
        #expect(!frames.contains { $0.flags & 1 == 1 })
        #expect(wire.session.streamCount == 0 && wire.session.acceptsStreams)
    }

    @Test("a body without bytes waits, and others go on")
    func deferred() throws {
        let wire = try HTTP2Wire()
        let (slow, fast) = (HTTP2Probe(), HTTP2Probe())
        fast.supplies = [.bytes(10, isLast: true)]
        _ = try wire.request(slow, method: "POST", body: .unknown)
        #expect(slow.demands == 1 && !wire.session.wantsToWrite)
        let head = RequestHead(method: "POST", authority: "a", body: .unknown)
        let submitted = wire.session.submit(head, for: fast)
        #expect(submitted == 3)
        #expect(wire.written().map(\.type) == [1, 0])
        slow.supplies = [.bytes(7, isLast: false)]
        wire.session.continueBody(of: 1)
        #expect(wire.written().map(\.payload.count) == [7])
        #expect(slow.demands == 3)
        slow.supplies = [.end]
        wire.session.continueBody(of: 1)
        wire.session.continueBody(of: 1)
        #expect(wire.written() == [HTTP2Frame(type: 0, flags: 1, stream: 1)])
    }

    @Test("a body is written up to the limit and the peer's windows, and no further")
    func limits() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = [.bytes(10 << 20, isLast: true)]
        let head = RequestHead(method: "POST", authority: "a", body: .length(10 << 20))
        let submitted = wire.session.submit(head, for: probe)
        #expect(submitted == 1)
        let first = wire.written(upTo: 20_000)
        #expect(first.map(\.type) == [1, 0, 0])
        #expect(probe.demands == 2)
        let rest = wire.written()
        #expect((first + rest).dropFirst().reduce(0) { $0 + $1.payload.count } == 65_535)
        #expect(!wire.session.wantsToWrite)
        wire.send(.windowUpdate(1 << 20, on: 1), .windowUpdate(100))
        #expect(wire.written().map(\.payload.count) == [100])
    }

    @Test("a cancelled upload is reset and asked for no more")
    func cancelledUpload() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = [.bytes(1 << 20, isLast: true)]
        _ = wire.session.submit(RequestHead(method: "POST", authority: "a", body: .unknown), for: probe)
        _ = wire.written(upTo: 30_000)
        let demands = probe.demands
        wire.session.cancel(1)
        #expect(wire.written() == [.reset(8, on: 1)])
        #expect(probe.demands == demands && probe.events == [])
    }

    @Test("an exchange that is cancelled when its body is asked for sends none of it")
    func cancelledInSupply() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = [.bytes(100, isLast: true)]
        probe.onDemand = { wire.session.cancel(1) }
        _ = wire.session.submit(RequestHead(method: "POST", authority: "a", body: .unknown), for: probe)
        let frames = wire.written()
        #expect(frames.map(\.type) == [1, 3])
        #expect(probe.events == [] && probe.demands == 1)
    }

    @Test("a request that is cancelled before it is written is never sent")
    func cancelledEarly() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = wire.session.submit(RequestHead(authority: "a"), for: probe)
        wire.session.cancel(1)
        #expect(wire.written() == [] && probe.events == [])
        #expect(try wire.request(probe) == 3)
    }

    @Test("there are no streams when the identifiers are used up")
    func identifiers() throws {
        var settings = HTTP2Settings()
        settings.firstStream = .max - 2
        let wire = try HTTP2Wire(settings)
        let (first, last) = (HTTP2Probe(), HTTP2Probe())
        #expect(try wire.request(first) == .max - 2)
        #expect(try wire.request(last) == .max)
        #expect(!wire.session.acceptsStreams)
        let submitted = wire.session.submit(RequestHead(authority: "a"), for: HTTP2Probe())
        #expect(submitted == nil)
        #expect(wire.send(.head(200, on: .max >> 1, isLast: true), .head(200, on: .max >> 1 - 2, isLast: true)) == nil)
        #expect(first.events.last == "end" && last.events.last == "end")
        #expect(wire.session.fault == nil)
    }

    @Test("pings are answered, and answers to our own are counted")
    func pings() throws {
        let wire = try HTTP2Wire()
        wire.send(.ping)
        #expect(wire.written() == [HTTP2Frame(type: 6, flags: 1, payload: HTTP2Frame.ping.payload)])
        var pong = HTTP2Frame(type: 6, flags: 1, payload: [UInt8](repeating: 0, count: 8))
        wire.send(pong)
        #expect(wire.session.pongs == 0)
        wire.session.ping()
        let ping = try #require(wire.written().first)
        #expect(ping.type == 6 && ping.flags == 0)
        pong.payload = ping.payload
        wire.send(pong, pong)
        #expect(wire.session.pongs == 1)
    }
}
