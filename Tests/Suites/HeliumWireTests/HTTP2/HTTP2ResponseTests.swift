import HeliumCore
import HeliumWire
import Testing

@Suite("Responses over HTTP/2")
struct HTTP2ResponseTests {
    private static let invalid = ResponseFault.malformed("the response is not valid HTTP")
    private static let wrongLength = ResponseFault.malformed("the body has another length than its Content-Length")

    @Test("a response arrives whole, in whatever pieces", arguments: [false, true])
    func whole(isSlow: Bool) throws {
        let wire = try HTTP2Wire()
        wire.isSlow = isSlow
        let probe = HTTP2Probe()
        #expect(try wire.request(probe) == 1)
        wire.send(
            .head([(":status", "103"), ("link", "<a>")], on: 1),
            .head([(":status", "200"), ("content-length", "5"), ("a", "b"), ("a", "")], on: 1),
            .data("he", on: 1, padding: 3),
            .data("", on: 1),
            .data("llo", on: 1),
            .head([("t", "u")], on: 1, isLast: true)
        )
        #expect(probe.events == ["interim 103", "status 200", "head", "body", "end"])
        #expect(probe.section == "content-length: 5\r\na: b\r\na: \r\n")
        #expect(probe.text == "hello")
        #expect(probe.head.version == .http2)
        #expect(wire.session.streamCount == 0)
        #expect(wire.written() == [])
    }

    @Test(
        "a response without a body ends with its head",
        arguments: [("HEAD", "200", "7"), ("GET", "204", "0"), ("GET", "304", "7"), ("GET", "200", "0")]
    )
    func bodiless(method: String, status: String, length: String) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe, method: method)
        wire.send(.head([(":status", status), ("content-length", length)], on: 1, isLast: true))
        #expect(probe.events == ["status \(status)", "head", "end"])
    }

    static let malformedHeads: [[(String, String)]] = [
        [], [("a", "b")], [("a", "b"), (":status", "200")], [(":status", "200"), (":status", "200")],
        [(":status", "20")], [(":status", "2000")], [(":status", "2x0")], [(":status", "+20")], [(":status", "000")],
        [(":status", "099")], [(":status", "101")], [(":status", "")], [(":status", "200"), (":path", "/")],
        [(":status", "200"), (":unknown", "a")], [(":status", "200"), ("A", "b")], [(":status", "200"), ("", "b")],
        [(":status", "200"), ("a b", "c")], [(":status", "200"), ("a:", "c")], [(":status", "200"), ("a\u{E9}", "c")],
        [(":status", "200"), ("a", "b\rc")], [(":status", "200"), ("a", "b\nc")], [(":status", "200"), ("a", "\0")],
        [(":status", "200"), ("a", "\u{1}")], [(":status", "200"), ("a", " b")], [(":status", "200"), ("a", "b\t")],
        [(":status", "200"), ("connection", "close")], [(":status", "200"), ("keep-alive", "1")],
        [(":status", "200"), ("proxy-connection", "a")], [(":status", "200"), ("upgrade", "b")],
        [(":status", "200"), ("transfer-encoding", "chunked")], [(":status", "200"), ("te", "gzip")],
        [(":status", "200"), ("content-length", "1"), ("content-length", "2")],
        [(":status", "200"), ("content-length", "-1")], [(":status", "200"), ("content-length", "1a")],
        [(":status", "200"), ("content-length", "99999999999999999999")],
        [(":status", "204"), ("content-length", "5")],
    ]

    @Test("a malformed head is a fault of its stream alone", arguments: malformedHeads)
    func malformedHead(fields: [(String, String)]) throws {
        let wire = try HTTP2Wire()
        let (probe, other) = (HTTP2Probe(), HTTP2Probe())
        _ = (try wire.request(probe), try wire.request(other))
        #expect(wire.send(.head(fields, on: 1)) == nil)
        #expect(probe.fault == Self.invalid)
        #expect(probe.events.last == "fault" && !probe.events.contains("head"))
        #expect(wire.written() == [.reset(1, on: 1)])
        wire.send(.head(200, on: 3, isLast: true))
        #expect(other.events.last == "end")
    }

    @Test("a Latin-1 value is kept as it is")
    func latin() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head([(":status", "200"), ("a", "\u{E9}\t!")], on: 1, isLast: true))
        #expect(probe.head.section == [97, 58, 32, 0xE9, 9, 33, 13, 10])
    }

    static let malformedTrailers: [HTTP2Frame] = [
        .head([(":status", "200")], on: 1, isLast: true), .head([("a", "b")], on: 1),
        .head([("A", "b")], on: 1, isLast: true), .head([("connection", "b")], on: 1, isLast: true),
    ]

    @Test("malformed trailers are a fault", arguments: malformedTrailers)
    func trailers(frame: HTTP2Frame) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.head(200, on: 1), .data("a", on: 1), frame) == nil)
        #expect(probe.events == ["status 200", "head", "body", "fault"])
        #expect(probe.fault == Self.invalid)
    }

    @Test("an interim head that ends the stream is a fault")
    func lastInterim() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.head(103, on: 1, isLast: true)) == nil)
        #expect(probe.fault == Self.invalid)
    }

    static let wrongLengths: [(String, String, [HTTP2Frame])] = [
        ("GET", "3", [.data("ab", on: 1, isLast: true)]), ("GET", "3", [.data("abcd", on: 1)]),
        ("GET", "3", [.data("abc", on: 1), .data("d", on: 1)]), ("HEAD", "3", [.data("abc", on: 1, isLast: true)]),
        ("GET", "0", [.data("a", on: 1)]),
    ]

    @Test("a body of another length than the head says is a fault", arguments: wrongLengths)
    func lengths(method: String, length: String, frames: [HTTP2Frame]) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe, method: method)
        wire.send(.head([(":status", "200"), ("content-length", length)], on: 1))
        #expect(wire.send(frames.flatMap(\.bytes)) == nil)
        #expect(probe.fault == Self.wrongLength)
        #expect(probe.body.count <= 3)
        #expect(wire.written() == [.reset(1, on: 1)])
    }

    static let paddedFrames: [HTTP2Frame] = [
        .data("ab", on: 1, isLast: true, padding: 9), .data("abcd", on: 1, padding: 9),
        .head([("a", "b")], on: 1, isLast: true),
    ]

    @Test("nghttp2 finds the wrong lengths that the session does not", arguments: paddedFrames)
    func paddedLengths(frame: HTTP2Frame) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.head([(":status", "200"), ("content-length", "3")], on: 1), frame) == nil)
        #expect(wire.written() == [.reset(1, on: 1)])
        #expect(probe.fault == Self.invalid)
        #expect(!probe.events.contains("end"))
    }

    @Test("each call has its own ceilings, which count interim heads and trailers", arguments: [false, true])
    func ceilings(isSlow: Bool) throws {
        let wire = try HTTP2Wire()
        wire.isSlow = isSlow
        var limits = ResponseLimits()
        limits.headerCount = 3
        let head = HTTP2Frame.head([(":status", "200"), ("a", "b"), ("a", "b")], on: 1).payload
        let early = HTTP2Probe(limits: limits)
        _ = try wire.request(early)
        let interim = HTTP2Frame.head([(":status", "103"), ("a", "b"), ("a", "b")], on: 1)
        #expect(wire.send(interim, HTTP2Frame(type: 1, flags: 4, stream: 1, payload: head)) == nil)
        #expect(early.events == ["interim 103", "status 200", "fault"])
        #expect(early.fault == .ceiling(.headerCount, limit: 3))

        let late = HTTP2Probe(limits: limits)
        _ = try wire.request(late)
        let trailers = HTTP2Frame.head([("a", "b"), ("a", "b")], on: 3, isLast: true)
        #expect(wire.send(HTTP2Frame(type: 1, flags: 4, stream: 3, payload: head), trailers) == nil)
        #expect(late.events == ["status 200", "head", "fault"])

        limits = ResponseLimits()
        limits.headerBytes = 100
        let long = HTTP2Probe(limits: limits)
        _ = try wire.request(long)
        let field = ("a", String(repeating: "b", count: 100))
        #expect(wire.send(.head([(":status", "200"), field], on: 5)) == nil)
        #expect(long.fault == .ceiling(.headerBytes, limit: 100))
        #expect(wire.written() == [.reset(8, on: 5)])
    }

    @Test("a field that nghttp2 does not decode ends the connection")
    func longField() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        let block = HTTP2Frame.block([(":status", "200"), ("a", String(repeating: "b", count: 70_000))])
        #expect(wire.send(HTTP2Frame(type: 1, stream: 1, payload: Array(block.prefix(16_000)))) == .framing)
        #expect(probe.end == .lost)
        #expect(wire.written().map { $0.number(at: 4) } == [9])
    }

    @Test("a header section far over the ceiling ends the connection, after its call")
    func longSection() throws {
        var settings = HTTP2Settings()
        settings.limits.headerBytes = 1000
        let wire = try HTTP2Wire(settings)
        let (probe, other) = (HTTP2Probe(), HTTP2Probe())
        _ = (try wire.request(probe), try wire.request(other))
        let block = HTTP2Frame.block([(String, String)](repeating: ("a", "1234567"), count: 1000))
        var fault = wire.send(.head([(":status", "200")], on: 1, isWhole: false))
        for _ in 0..<8 where fault == nil { fault = wire.send(.continuation(block, on: 1)) }
        #expect(fault == nil)
        // The call has exceeded its own ceiling before.
        #expect(probe.fault == .ceiling(.headerCount, limit: 256))
        #expect(wire.send(.continuation([], on: 1)) == .headerSection)
        #expect(other.end == .lost)
        let last = try #require(wire.written().last)
        #expect(last.type == 7 && last.number(at: 4) == 11)
    }

    static let ends: [(UInt32, HTTP2End)] = [
        (7, .refused), (13, .http1Required), (8, .reset(8)), (0, .reset(0)), (99, .reset(99)), (2, .reset(2)),
    ]

    @Test("a reset before the response says why", arguments: ends)
    func resets(code: UInt32, end: HTTP2End) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.reset(code, on: 1)) == nil)
        #expect(probe.events == ["closed"] && probe.end == end)
        #expect(wire.session.streamCount == 0 && wire.session.acceptsStreams)
    }

    @Test("a request that was answered in part was not refused", arguments: [7, 13] as [UInt32])
    func lateRefusal(code: UInt32) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head(200, on: 1), .data("a", on: 1), .reset(code, on: 1))
        #expect(probe.end == .reset(code))
    }

    @Test("NO_ERROR after a complete response is no failure")
    func earlyResponse() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe, method: "POST", body: .length(1 << 20))
        #expect(wire.send(.head(413, on: 1), .data("no", on: 1, isLast: true), .reset(0, on: 1)) == nil)
        #expect(probe.events == ["status 413", "head", "body", "end"])
        #expect(wire.session.acceptsStreams)
    }

    @Test("a complete response ends the upload")
    func endsUpload() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe, method: "POST", body: .unknown)
        #expect(wire.send(.head(200, on: 1, isLast: true)) == nil)
        #expect(wire.written() == [.reset(0, on: 1)])
        wire.session.continueBody(of: 1)
        #expect(wire.written() == [] && probe.demands == 1)
    }

    @Test(
        "a cancelled exchange gets no more events, at whatever event it is cancelled",
        arguments: ["interim 103", "status 200", "head", "body"]
    )
    func cancelInside(event: String) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        probe.reaction = { if $0 == event { wire.session.cancel(1) } }
        let fault = wire.send(
            .head(103, on: 1),
            .head([(":status", "200"), ("a", "b")], on: 1),
            .data("a", on: 1),
            .data("b", on: 1),
            .head([("t", "u")], on: 1, isLast: true)
        )
        #expect(fault == nil && probe.events.last == event)
        #expect(wire.written() == [.reset(8, on: 1)])
        #expect(wire.session.streamCount == 0)
    }

    @Test("an exchange is released at its end")
    func released() throws {
        let wire = try HTTP2Wire()
        weak var ended: HTTP2Probe?
        weak var cancelled: HTTP2Probe?
        weak var lost: HTTP2Probe?
        do {
            let probes = [HTTP2Probe(), HTTP2Probe(), HTTP2Probe()]
            (ended, cancelled, lost) = (probes[0], probes[1], probes[2])
            for probe in probes { _ = try wire.request(probe) }
            wire.send(.head(200, on: 1, isLast: true))
            wire.session.cancel(3)
        }
        #expect(ended == nil && cancelled == nil)
        #expect(lost?.events == [])
        wire.session.end()
        #expect(lost == nil)
    }
}
