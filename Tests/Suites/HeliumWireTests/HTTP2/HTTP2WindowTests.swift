import HeliumCore
import HeliumWire
import Testing

@Suite("The receive windows of HTTP/2")
struct HTTP2WindowTests {
    private static func settings(stream: Int32 = 1000, most: Int32 = 16_000, connection: Int32 = 70_000)
        -> HTTP2Settings
    {
        var settings = HTTP2Settings()
        settings.streamWindow = stream
        settings.maximumStreamWindow = most
        settings.connectionWindow = connection
        return settings
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// The sum of the WINDOW_UPDATE frames of a stream.
    private static func room(_ frames: [HTTP2Frame], of stream: UInt32) -> Int {
        frames.filter { $0.type == 8 && $0.stream == stream }.reduce(0) { $0 + Int($1.number()) }
    }

    @Test("a consumer that stops slows down its stream and no other")
    func slowConsumer() throws {
        let wire = try HTTP2Wire(Self.settings())
        let (slow, fast) = (HTTP2Probe(), HTTP2Probe())
        _ = (try wire.request(slow), try wire.request(fast))
        wire.send(.head(200, on: 1), .head(200, on: 3), .data(Self.zeros(1000), on: 1))
        #expect(wire.written() == [])
        // Many times the connection's window.
        for _ in 0..<1000 {
            wire.send(.data(Self.zeros(900), on: 3))
            wire.session.consumed(900, of: 3)
            wire.session.write(into: &wire.output, upTo: .max)
        }
        #expect(fast.body.count == 900_000)
        let frames = wire.written()
        #expect(Self.room(frames, of: 1) == 0)
        #expect(Self.room(frames, of: 0) > 800_000)
        wire.session.consumed(1000, of: 1)
        #expect(Self.room(wire.written(), of: 1) >= 1000)
    }

    @Test("more bytes than the stream's window are a fault of the stream")
    func streamOverflow() throws {
        let wire = try HTTP2Wire(Self.settings())
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        #expect(wire.send(.head(200, on: 1), .data(Self.zeros(1001), on: 1)) == nil)
        #expect(wire.written().contains(.reset(3, on: 1)))
        #expect(probe.fault == .malformed("the response violates the framing of HTTP/2"))
    }

    /// Ways in which bytes arrive that no consumer takes.
    static let losses = [
        "cancelled", "reset by us", "ended", "faulted", "of another length", "padding", "reset by the peer",
    ]

    @Test("the connection's window never shrinks for ever", arguments: losses)
    func connectionWindow(loss: String) throws {
        let wire = try HTTP2Wire(Self.settings(stream: 60_000, most: 60_000, connection: 70_000))
        var (sent, given) = (0, 0)
        for index in 0..<50 {
            let stream = UInt32(1 + 2 * index)
            let probe = HTTP2Probe()
            #expect(try wire.request(probe) == Int32(stream))
            let data = HTTP2Frame.data(Self.zeros(9000), on: stream)
            switch loss {
            case "cancelled":
                wire.send(.head(200, on: stream), data)
                wire.session.cancel(Int32(stream))
                wire.send(data)
            case "reset by us":
                wire.send(.head(200, on: stream))
                wire.session.cancel(Int32(stream))
                given += Self.room(wire.written(), of: 0)
                wire.send(data, data)
            case "ended": wire.send(.head(200, on: stream), data, .data(Self.zeros(9000), on: stream, isLast: true))
            case "faulted":
                probe.reaction = { if $0 == "body" { wire.session.cancel(Int32(stream)) } }
                wire.send(.head(200, on: stream), data, data)
            case "of another length":
                wire.send(.head([(":status", "200"), ("content-length", "10")], on: stream), data, data)
            case "padding":
                let padded = HTTP2Frame.data(Self.zeros(1), on: stream, padding: 255)
                wire.send(.head(200, on: stream))
                for _ in 0..<70 { wire.send(padded) }
                wire.session.cancel(Int32(stream))
            default: wire.send(.head(200, on: stream), data, data, .reset(8, on: stream))
            }
            sent += loss == "padding" ? 70 * 257 : 18_000
            given += Self.room(wire.written(), of: 0)
        }
        #expect(wire.session.fault == nil)
        // nghttp2 gives room when half of the window is used.
        #expect(sent - given <= 35_000)
    }

    @Test("the window of a stream grows while its consumer keeps up, to its maximum")
    func growth() throws {
        let wire = try HTTP2Wire(Self.settings(stream: 1000, most: 6000))
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head(200, on: 1))
        var (sent, given, sizes) = (0, 1000, [Int]())
        for _ in 0..<200 {
            wire.send(.data(Self.zeros(250), on: 1))
            sent += 250
            wire.session.consumed(250, of: 1)
            given += Self.room(wire.written(), of: 1)
            sizes.append(given - sent)
        }
        #expect(wire.session.fault == nil)
        #expect(sizes.max() == 6000)
    }

    @Test("the window of a stream does not grow for a consumer that is late")
    func noGrowth() throws {
        let wire = try HTTP2Wire(Self.settings(stream: 1000, most: 6000))
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head(200, on: 1))
        var (sent, given) = (0, 1000)
        for _ in 0..<50 {
            wire.send(.data(Self.zeros(400), on: 1), .data(Self.zeros(400), on: 1))
            sent += 800
            wire.session.consumed(800, of: 1)
            given += Self.room(wire.written(), of: 1)
        }
        #expect(wire.session.fault == nil)
        #expect(given - sent <= 1000)
    }

    @Test("a consumer can't give room for bytes that it never had")
    func falseConsumption() throws {
        let wire = try HTTP2Wire(Self.settings())
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        wire.send(.head(200, on: 1), .data(Self.zeros(10), on: 1))
        for count in [.max, 0, -5, 100_000] { wire.session.consumed(count, of: 1) }
        wire.session.consumed(5, of: 99)
        #expect(wire.written() == [])
        wire.send(.data("", on: 1, isLast: true))
        wire.session.consumed(500, of: 1)
        #expect(wire.written() == [] && wire.session.fault == nil)
    }
}
