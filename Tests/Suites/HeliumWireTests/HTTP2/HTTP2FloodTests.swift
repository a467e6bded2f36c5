import HeliumCore
import HeliumWire
import Testing

@Suite("Floods of HTTP/2 frames")
struct HTTP2FloodTests {
    /// Frames that a peer may send, and that carry nothing.
    static let useless: [(String, HTTP2Frame)] = [
        ("SETTINGS", .settings()), ("PING", .ping), ("WINDOW_UPDATE", .windowUpdate(1)),
        ("a reset of an ended stream", .reset(8, on: 5)),
        ("PRIORITY", HTTP2Frame(type: 2, stream: 9, payload: [0, 0, 0, 0, 1])),
        ("an unknown frame", HTTP2Frame(type: 0xEE)), ("empty DATA", .data("", on: 1)),
        ("DATA of padding", .data("", on: 1, padding: 5)),
        ("DATA of a cancelled stream", .data("a", on: 3)), ("GOAWAY", .goAway(after: 7)),
        ("interim responses", .head(103, on: 7)),
    ]

    private func wire() throws -> (HTTP2Wire, [HTTP2Probe]) {
        let wire = try HTTP2Wire()
        var limits = ResponseLimits()
        limits.headerBytes = 1 << 20
        let probes = (0..<4).map { _ in HTTP2Probe(limits: limits) }
        for probe in probes { _ = try wire.request(probe) }
        wire.session.cancel(3)
        _ = wire.written()
        wire.send(.head(200, on: 1), .head(200, on: 5, isLast: true))
        return (wire, probes)
    }

    @Test("frames without progress end the connection", arguments: useless)
    func floods(flood: (String, HTTP2Frame)) throws {
        let (wire, probes) = try wire()
        var count = 0
        while wire.send(flood.1) == nil, count < 10_000 {
            count += 1
            _ = wire.written()
        }
        // The cancelled stream had room for 1 MiB.
        #expect(1000...(flood.1.type == 0 ? 3100 : 2100) ~= count)
        #expect(wire.session.fault == .flood)
        #expect(probes[0].end == .lost && probes[3].end == .lost)
        #expect(probes[1].events == [] && probes[2].events.last == "end")
        let last = try #require(wire.written().last)
        #expect(last.type == 7 && last.number(at: 4) == 11)
        #expect(!wire.session.wantsToWrite)
    }

    @Test("a flood in one piece is not processed", arguments: [1 << 20])
    func onePiece(count: Int) throws {
        let (wire, _) = try wire()
        let flood = [HTTP2Frame](repeating: .windowUpdate(1), count: 10_000).flatMap(\.bytes)
        #expect(wire.send(flood) == .flood)
        #expect(wire.written().last?.number(at: 4) == 11)
    }

    @Test("a quiet connection with a PING every second never ends")
    func keepAlive() throws {
        let (wire, _) = try wire()
        for _ in 0..<20_000 {
            wire.now += 1_000_000_000
            wire.send(.ping)
            _ = wire.written()
        }
        #expect(wire.session.fault == nil)
    }

    @Test("time that stands still or goes back refills nothing and does no harm")
    func brokenClock() throws {
        let (wire, _) = try wire()
        wire.now = .max
        for _ in 0..<100 { wire.send(.ping) }
        wire.now = 0
        for _ in 0..<100 { wire.send(.ping) }
        #expect(wire.session.fault == nil)
    }

    @Test("small events with control frames between them are no flood")
    func smallEvents() throws {
        let (wire, probes) = try wire()
        for _ in 0..<20_000 {
            wire.send(.data("a", on: 1), .ping, .windowUpdate(1))
            wire.session.consumed(1, of: 1)
            _ = wire.written()
        }
        #expect(wire.session.fault == nil)
        #expect(probes[0].body.count == 20_000)
    }

    @Test("a WINDOW_UPDATE for each frame of an upload is no flood")
    func upload() throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        probe.supplies = [.bytes(100 << 20, isLast: true)]
        _ = try wire.request(probe, method: "POST", body: .length(100 << 20))
        var sent = 0
        for _ in 0..<12_800 {
            wire.send(.windowUpdate(8192, on: 1), .windowUpdate(8192))
            sent += wire.written().reduce(0) { $0 + $1.payload.count }
        }
        #expect(wire.session.fault == nil)
        #expect(sent == (100 << 20) - 65_535)
    }

    @Test("updates for each read of a server that reads little at a time are no flood", arguments: [512, 4096])
    func smallReads(size: Int) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        let length = 16 << 20
        probe.supplies = [.bytes(length, isLast: true)]
        _ = try wire.request(probe, method: "POST", body: .length(Int64(length)))
        wire.send(.windowUpdate(1 << 20, on: 1), .windowUpdate(1 << 20))
        var sent = 0
        while true {
            // All that was on its way is read at once.
            let count = wire.written().filter { $0.type == 0 }.reduce(0) { $0 + $1.payload.count }
            guard count > 0 else { break }
            sent += count
            let updates = [.windowUpdate(UInt32(size), on: 1), .windowUpdate(UInt32(size))].flatMap(\HTTP2Frame.bytes)
            #expect(wire.send(Array([[UInt8]](repeating: updates, count: count / size).joined())) == nil)
        }
        #expect(sent > length - (2 << 20))
        // Beyond them, they are one.
        var count = 0
        while wire.send(.windowUpdate(1)) == nil, count < 100_000 { count += 1 }
        #expect(count < 70_000)
    }

    @Test("a response that was on its way when its call was cancelled is no flood")
    func onItsWay() throws {
        let wire = try HTTP2Wire()
        let (cancelled, other) = (HTTP2Probe(), HTTP2Probe())
        let stream = try wire.request(cancelled)
        _ = try wire.request(other)
        wire.send(.head(200, on: 1))
        wire.session.cancel(stream)
        // A whole window.
        for _ in 0..<2_600 { wire.send(.data([UInt8](repeating: 0x61, count: 400), on: 1)) }
        #expect(wire.send(.head(200, on: 3, isLast: true)) == nil)
        #expect(other.events.last == "end")
        var count = 0
        while wire.send(.data("a", on: 1)) == nil, count < 10_000 { count += 1 }
        #expect(count < 2_000)
    }

    @Test("many short calls on one connection are no flood")
    func calls() throws {
        let wire = try HTTP2Wire()
        for index in 0..<5000 {
            let probe = HTTP2Probe()
            _ = try wire.request(probe)
            let stream = UInt32(1 + 2 * index)
            wire.send(.head(200, on: stream), .data("a", on: stream, isLast: true), .ping, .reset(0, on: stream))
            _ = wire.written()
        }
        #expect(wire.session.fault == nil)
    }

    @Test("CONTINUATION frames are limited, empty or not", arguments: [[], HTTP2Frame.block([("a", "b")])])
    func continuations(block: [UInt8]) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head([(":status", "200")], on: 1, isWhole: false))
        for _ in 0..<8 { #expect(wire.send(.continuation(block, on: 1)) == nil) }
        #expect(wire.send(.continuation(block, on: 1, isWhole: true)) == .flood)
        #expect(probe.end == .lost)
        #expect(wire.written().last?.number(at: 4) == 11)
    }

    @Test("a header section in as many frames as are allowed is read, byte by byte too", arguments: [false, true])
    func allowedContinuations(isSlow: Bool) throws {
        let wire = try HTTP2Wire()
        wire.isSlow = isSlow
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head([(":status", "200")], on: 1, isWhole: false))
        for index in 1...8 {
            wire.send(.continuation(HTTP2Frame.block([("a", "\(index)")]), on: 1, isWhole: index == 8))
        }
        #expect(probe.events.last == "head")
        #expect(probe.section.hasSuffix("a: 8\r\n"))
    }

    @Test("acknowledgements do not pile up while nothing can be written", arguments: [HTTP2Frame.ping, .settings()])
    func blocked(frame: HTTP2Frame) throws {
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        var count = 0
        while wire.send(frame) == nil, count < 10_000 { count += 1 }
        #expect(count <= 300)
        #expect(wire.session.fault == .flood)
        #expect(probe.end == .lost)
        #expect(wire.written() == [])
    }
}
