import HeliumCore
import HeliumWire
import Testing

@Suite("The end of an HTTP/2 connection")
struct HTTP2ConnectionTests {
    @Test("GOAWAY ends the streams above its last one; others go on")
    func goAway() throws {
        let wire = try HTTP2Wire()
        let probes = [HTTP2Probe(), HTTP2Probe(), HTTP2Probe()]
        for probe in probes { _ = try wire.request(probe) }
        #expect(wire.send(.goAway(after: 3)) == nil)
        #expect(probes.map(\.events) == [[], [], ["closed"]])
        #expect(probes[2].end == .notProcessed)
        #expect(!wire.session.acceptsStreams && wire.session.streamCount == 2)
        let submitted = wire.session.submit(RequestHead(authority: "a"), for: HTTP2Probe())
        #expect(submitted == nil)
        wire.send(.head(200, on: 1, isLast: true), .head(200, on: 3), .data("a", on: 3, isLast: true))
        #expect(probes[0].events.last == "end" && probes[1].text == "a")
        #expect(wire.session.fault == nil)
    }

    @Test("a request that was not written when GOAWAY came is not processed")
    func goAwayBeforeWriting() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = wire.session.submit(RequestHead(authority: "a"), for: probe)
        wire.send(.goAway(after: 0))
        #expect(probe.end == .notProcessed)
        #expect(wire.written() == [])
    }

    @Test("GOAWAY can require HTTP/1.1 for the streams above its last one")
    func goAwayToHTTP1() throws {
        let wire = try HTTP2Wire()
        let (answered, probe) = (HTTP2Probe(), HTTP2Probe())
        _ = (try wire.request(answered), try wire.request(probe))
        wire.send(.head(200, on: 1), .goAway(after: 1, 13))
        #expect(answered.end == nil && probe.end == .http1Required)
    }

    @Test("requests above the peer's limit that were not written are taken back, the newest first")
    func takenBack() throws {
        let wire = try HTTP2Wire(begins: false)
        let probes = (0..<6).map { _ in HTTP2Probe() }
        _ = try wire.request(probes[0])
        for probe in probes.dropFirst() { _ = wire.session.submit(RequestHead(authority: "a"), for: probe) }
        wire.send(.settings([(3, 3)]))
        wire.session.takeBack()
        #expect(probes.map(\.end) == [nil, nil, nil, .notProcessed, .notProcessed, .notProcessed])
        #expect(wire.session.streamCount == 3 && wire.session.acceptsStreams)
        #expect(wire.written().filter { $0.type == 1 }.map(\.stream) == [3, 5])
        // Written ones stay, however many they are.
        wire.send(.settings([(3, 1)]))
        wire.session.takeBack()
        #expect(wire.session.streamCount == 3)
    }

    @Test("a graceful shutdown says so twice")
    func graceful() throws {
        let wire = try HTTP2Wire()
        let (probe, other) = (HTTP2Probe(), HTTP2Probe())
        _ = (try wire.request(probe), try wire.request(other))
        #expect(wire.send(.goAway(after: .max >> 1)) == nil)
        #expect(probe.events == [] && !wire.session.acceptsStreams)
        #expect(wire.send(.goAway(after: 1)) == nil)
        #expect(probe.events == [] && other.end == .notProcessed)
        // What arrives on a stream that the server has disowned is ignored.
        #expect(wire.send(.head(200, on: 3), .head(200, on: 1, isLast: true)) == nil)
        #expect(probe.events.last == "end" && other.events == ["closed"])
    }

    @Test("a stream that was answered was processed, whatever GOAWAY says")
    func answeredAboveLast() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head(200, on: 1), .goAway(after: 0))
        #expect(probe.end == .lost)
    }

    @Test("GOAWAY with an error code ends no stream that was processed")
    func goAwayWithCode() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.goAway(after: 1, 11)) == nil)
        #expect(probe.events == [])
        wire.session.end()
        #expect(probe.end == .lost)
    }

    @Test("a request whose fields need several frames is written from the first one on")
    func longFields() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        let head = RequestHead(authority: "a", target: "/" + String(repeating: "X", count: 40_000))
        let submitted = wire.session.submit(head, for: probe)
        let stream = try #require(submitted)
        #expect(!wire.session.hasWritten(stream))
        #expect(wire.written(upTo: 1).map(\.type) == [1])
        #expect(wire.session.hasWritten(stream))
        // A cancelled one is written to its end, or the peer could not read the fields of others (RFC 9113 §4.3).
        wire.session.cancel(stream)
        #expect(wire.written().map(\.type) == [9, 9, 3])
        #expect(wire.session.hasWritten(stream) && probe.events == [])
    }

    @Test("requests that were not written when the connection is lost are not processed")
    func lost() throws {
        let wire = try HTTP2Wire()
        let (written, waiting) = (HTTP2Probe(), HTTP2Probe())
        _ = try wire.request(written)
        _ = wire.session.submit(RequestHead(authority: "a"), for: waiting)
        wire.session.end()
        wire.session.end()
        #expect(written.events == ["closed"] && written.end == .lost)
        #expect(waiting.events == ["closed"] && waiting.end == .notProcessed)
        #expect(!wire.session.acceptsStreams && wire.session.fault == nil)
        #expect(wire.send(.head(200, on: 1)) == nil && written.events == ["closed"])
    }

    @Test("our own GOAWAY lets open streams end")
    func close() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.session.close()
        wire.session.close()
        #expect(wire.written() == [.goAway(after: 0)])
        #expect(!wire.session.acceptsStreams)
        #expect(wire.send(.head(200, on: 1), .data("a", on: 1, isLast: true)) == nil)
        #expect(probe.events.last == "end")
        #expect(wire.send(.ping) == nil && wire.session.fault == nil)
    }

    // MARK: Violations

    /// Frames that violate the protocol while streams 1 and 3 are open and 5 has ended, and the code of our GOAWAY.
    static let violations: [(String, [HTTP2Frame], UInt32)] = [
        ("DATA on stream 0", [.data("a", on: 0)], 1), ("DATA on an idle stream", [.data("a", on: 99)], 1),
        ("DATA on an even stream", [.data("a", on: 2)], 1), ("DATA before the head", [.data("a", on: 1)], 1),
        ("padding longer than DATA", [HTTP2Frame(type: 0, flags: 8, stream: 1, payload: [9, 1])], 1),
        ("HEADERS on stream 0", [.head(200, on: 0)], 1), ("HEADERS on an idle stream", [.head(200, on: 99)], 1),
        ("HEADERS on an even stream", [.head(200, on: 2)], 1),
        ("padding longer than HEADERS", [HTTP2Frame(type: 1, flags: 12, stream: 1, payload: [9, 0x88])], 1),
        (
            "an HPACK index that does not exist", [HTTP2Frame(type: 1, flags: 4, stream: 1, payload: [0xFF, 0xFF, 1])],
            9
        ),
        ("a cut HPACK string", [HTTP2Frame(type: 1, flags: 4, stream: 1, payload: [0, 9, 97])], 9),
        (
            "an HPACK table over the setting",
            [HTTP2Frame(type: 1, flags: 4, stream: 1, payload: [0x3F, 0xE2, 0x7F, 0x88])], 9
        ),
        ("CONTINUATION without HEADERS", [.continuation([0x88], on: 1)], 1),
        (
            "CONTINUATION of another stream",
            [.head([(":status", "200")], on: 1, isWhole: false), .continuation([], on: 3, isWhole: true)], 1
        ),
        ("a frame inside a header section", [.head([(":status", "200")], on: 1, isWhole: false), .ping], 1),
        ("a short PRIORITY", [HTTP2Frame(type: 2, stream: 1, payload: [0])], 6),
        ("a short RST_STREAM", [HTTP2Frame(type: 3, stream: 1, payload: [0])], 6),
        ("RST_STREAM on stream 0", [.reset(8, on: 0)], 1), ("RST_STREAM on an idle stream", [.reset(8, on: 99)], 1),
        ("SETTINGS on a stream", [HTTP2Frame(type: 4, stream: 1)], 1),
        ("SETTINGS of a wrong size", [HTTP2Frame(type: 4, payload: [0, 1, 2])], 6),
        ("an acknowledgement with settings", [HTTP2Frame(type: 4, flags: 1, payload: [0, 3, 0, 0, 0, 1])], 6),
        ("an acknowledgement of nothing", [.settingsAcknowledgement], 1),
        ("SETTINGS with ENABLE_PUSH 2", [.settings([(2, 2)])], 1), ("SETTINGS with push", [.settings([(2, 1)])], 1),
        ("SETTINGS with a window that is too large", [.settings([(4, 1 << 31)])], 3),
        ("SETTINGS with a frame size that is too small", [.settings([(5, 16_383)])], 1),
        ("SETTINGS with a frame size that is too large", [.settings([(5, 1 << 24)])], 1),
        ("PUSH_PROMISE", [HTTP2Frame(type: 5, flags: 4, stream: 1, payload: big(2) + [0x82])], 1),
        ("PING on a stream", [HTTP2Frame(type: 6, stream: 1, payload: HTTP2Frame.ping.payload)], 1),
        ("PING of a wrong size", [HTTP2Frame(type: 6, payload: [1])], 6),
        ("GOAWAY on a stream", [HTTP2Frame(type: 7, stream: 1, payload: big(1) + big(0))], 1),
        ("a short GOAWAY", [HTTP2Frame(type: 7, payload: big(1))], 6),
        ("GOAWAY after stream 2", [.goAway(after: 2)], 1),
        ("a window over the maximum", [.windowUpdate(.max >> 1), .windowUpdate(.max >> 1)], 3),
        ("an empty WINDOW_UPDATE", [.windowUpdate(0)], 1),
        ("a short WINDOW_UPDATE", [HTTP2Frame(type: 8, payload: [1])], 6),
        ("WINDOW_UPDATE on an idle stream", [.windowUpdate(1, on: 99)], 1),
        ("a frame over the maximum size", [HTTP2Frame(type: 0xEE, payload: [UInt8](repeating: 0, count: 16_385))], 6),
    ]

    @Test("a violation ends the connection and each exchange, once", arguments: violations, [false, true])
    func violation(of violation: (String, [HTTP2Frame], UInt32), isSlow: Bool) throws {
        let wire = try HTTP2Wire()
        wire.isSlow = isSlow
        let probes = [HTTP2Probe(), HTTP2Probe(), HTTP2Probe(), HTTP2Probe()]
        for probe in probes.prefix(3) { _ = try wire.request(probe) }
        wire.send(.head(200, on: 5, isLast: true))
        let submitted = wire.session.submit(RequestHead(authority: "a"), for: probes[3])
        #expect(submitted == 7)
        #expect(wire.send(violation.1.flatMap(\.bytes)) == .framing)
        #expect(probes[0].events.last == "closed" && probes[0].end == .lost)
        #expect(probes[1].events == ["closed"] && probes[1].end == .lost)
        #expect(probes[2].events.last == "end")
        #expect(probes[3].events == ["closed"] && probes[3].end == .notProcessed)
        #expect(wire.session.fault?.message == "the response violates the framing of HTTP/2")
        #expect(!wire.session.acceptsStreams && wire.session.streamCount == 0)
        // Nothing that comes later changes it.
        #expect(wire.send(.goAway(after: 1)) == .framing)
        let last = try #require(wire.written().last)
        #expect(last.type == 7 && last.number(at: 4) == violation.2)
        #expect(!wire.session.wantsToWrite)
    }

    /// Frames that are odd, and that the RFC lets a server send.
    static let oddities: [(String, [HTTP2Frame])] = [
        ("an unknown frame", [HTTP2Frame(type: 0xEE, flags: 255, stream: 77, payload: [1, 2, 3])]),
        ("unknown settings", [.settings([(99, 5), (0, 1)])]), ("an empty SETTINGS", [.settings()]),
        ("PRIORITY on an idle stream", [HTTP2Frame(type: 2, stream: 9, payload: [0, 0, 0, 0, 1])]),
        ("a reset of an ended stream", [.reset(8, on: 5), .reset(8, on: 5)]),
        ("WINDOW_UPDATE on an ended stream", [.windowUpdate(5, on: 5)]),
        ("an unexpected acknowledgement of a ping", [HTTP2Frame(type: 6, flags: 1, payload: HTTP2Frame.ping.payload)]),
        ("undefined flags of PING", [HTTP2Frame(type: 6, flags: 0xFE, payload: HTTP2Frame.ping.payload)]),
        (
            "a padded HEADERS with a priority",
            [HTTP2Frame(type: 1, flags: 0x2C, stream: 3, payload: [1, 0, 0, 0, 0, 9, 0x88, 0])]
        ),
        ("GOAWAY with a text", [HTTP2Frame(type: 7, payload: big(5) + big(0) + [97, 98])]),
    ]

    @Test("what the RFC allows ends nothing", arguments: oddities, [false, true])
    func oddity(of oddity: (String, [HTTP2Frame]), isSlow: Bool) throws {
        let wire = try HTTP2Wire()
        wire.isSlow = isSlow
        let probes = [HTTP2Probe(), HTTP2Probe(), HTTP2Probe()]
        for probe in probes { _ = try wire.request(probe) }
        wire.send(.head(200, on: 5, isLast: true))
        #expect(wire.send(oddity.1.flatMap(\.bytes)) == nil)
        #expect(wire.send(.head(200, on: 1), .data("a", on: 1, isLast: true)) == nil)
        #expect(probes[0].events == ["status 200", "head", "body", "end"])
        #expect(!probes[1].events.contains("closed"))
    }

    @Test("frames on a stream that has ended or was reset do no harm to others")
    func closedStreams() throws {
        let wire = try HTTP2Wire()
        let (ended, reset, other) = (HTTP2Probe(), HTTP2Probe(), HTTP2Probe())
        for probe in [ended, reset, other] { _ = try wire.request(probe) }
        wire.send(.head(200, on: 1, isLast: true))
        wire.session.cancel(3)
        _ = wire.written()
        #expect(wire.send(.head(200, on: 3), .data("abc", on: 3), .head([("a", "b")], on: 3, isLast: true)) == nil)
        #expect(reset.events == [])
        wire.send(.head(200, on: 5, isLast: true))
        #expect(other.events.last == "end")
    }

    @Test(
        "a peer that does not begin with SETTINGS does not speak HTTP/2",
        arguments: [HTTP2Frame.ping.bytes, Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)]
    )
    func noSettings(bytes: [UInt8]) throws {
        let wire = try HTTP2Wire(begins: false)
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(bytes) == .framing)
        #expect(probe.end == .lost)
    }

    @Test("a violation after GOAWAY is found when ours is written")
    func violationAfterGoAway() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.goAway(after: 1), .data("a", on: 0))
        #expect(wire.written().last?.number(at: 4) == 1)
        #expect(wire.session.fault == .framing)
        #expect(probe.end == .lost)
    }
}
