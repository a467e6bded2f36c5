internal import HeliumBytes
internal import HeliumCore
internal import HeliumWire

extension FuzzTarget {
    static let http2 = FuzzTarget(
        "http2",
        exampleBytes: [
            settings + head(1, [0x88], flags: 4) + frame(0, 1, 1, text("hello")),
            settings + head(1, field("link", "<a>", status: "103"), flags: 4)
                + head(1, field("content-length", "5", status: "200"), flags: 4)
                + frame(0, 8, 1, [3] + text("hello") + [0, 0, 0]) + head(1, [0] + string("t") + string("u"), flags: 5),
            settings + head(3, field("content-length", "7", status: "304"), flags: 5) + head(5, [0x8D], flags: 5),
            settings + head(1, [0x88], flags: 0) + frame(9, 0, 1, [0] + string("a") + string("b")) + frame(9, 4, 1, []),
            settings + frame(7, 0, 0, [0, 0, 0, 3, 0, 0, 0, 0]) + head(1, [0x88], flags: 5)
                + frame(3, 0, 3, [0, 0, 0, 7]),
            settings + frame(8, 0, 0, [0, 0, 255, 255]) + frame(8, 0, 5, [0, 1, 0, 0]) + frame(4, 1, 0, [])
                + frame(6, 0, 0, text("12345678")) + head(5, [0x88], flags: 4) + frame(0, 1, 5, []),
        ],
        pieceBytes: [
            settings, frame(4, 1, 0, []), frame(6, 0, 0, text("abcdefgh")), frame(8, 0, 0, [0, 0, 1, 0]),
            frame(3, 0, 1, [0, 0, 0, 13]), frame(7, 0, 0, [0, 0, 0, 1, 0, 0, 0, 2]), frame(0, 0, 1, text("body")),
            frame(0, 1, 3, []), head(1, [0x88], flags: 4), head(3, [0x89], flags: 5), head(5, [0x88], flags: 0),
            frame(9, 4, 1, []), frame(5, 4, 1, [0, 0, 0, 2, 0x82]), frame(2, 0, 1, [0, 0, 0, 0, 1]), [0x88], [0x3F],
            [0, 0, 0], [255, 255, 255], [0x7F, 0x80, 0x01], [0] + string("connection") + string("x"),
            [0x40] + string("A") + string("\r\n"), [0x0F, 0x0D] + string("5"),
        ],
        check: { try HTTP2Fuzz.check($0) }
    )

    private static let settings = frame(4, 0, 0, [0, 3, 0, 0, 0, 10])

    private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    private static func head(_ stream: UInt8, _ block: [UInt8], flags: UInt8) -> [UInt8] {
        frame(1, flags, stream, block)
    }

    /// A status and a field without indexing (RFC 7541 §6.2.2).
    private static func field(_ name: String, _ value: String, status: String) -> [UInt8] {
        [0x08] + string(status) + [0] + string(name) + string(value)
    }

    private static func string(_ value: String) -> [UInt8] { [UInt8(value.utf8.count)] + text(value) }
    private static func text(_ value: String) -> [UInt8] { Array(value.utf8) }
}

/// Gives a session any bytes as those of its server.
package enum HTTP2Fuzz {
    /// Checks that the pieces in which bytes arrive change nothing, and that each exchange ends once and in order.
    package static func check(_ bytes: [UInt8]) throws {
        let whole = try run(bytes, in: bytes.count)
        for size in [1, 7] {
            let other = try run(bytes, in: size)
            if other != whole { throw FuzzFinding("\(bytes) means \(whole), and in pieces of \(size) \(other)") }
        }
        // Exchanges that cancel themselves.
        _ = try run(bytes, in: bytes.count, cancelling: bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 7 })
    }

    private static func run(_ bytes: [UInt8], in size: Int, cancelling last: Int? = nil) throws -> [String] {
        var settings = HTTP2Settings()
        settings.streamWindow = 64
        settings.maximumStreamWindow = 256
        guard let session = HTTP2Session(settings) else { throw FuzzFinding("no session") }
        var output = ByteQueue()
        let exchanges = ["GET", "HEAD", "POST"].map { Exchange($0, session, last: last) }
        for exchange in exchanges {
            let body = exchange.method == "POST" ? RequestHead.Body.unknown : .none
            let head = RequestHead(method: exchange.method, authority: "a", body: body)
            guard let stream = session.submit(head, for: exchange) else { throw FuzzFinding("no stream") }
            exchange.stream = stream
        }
        session.write(into: &output, upTo: 1000)
        for start in stride(from: 0, to: bytes.count, by: max(1, size)) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { _ = session.receive($0, now: 0) }
        }
        if session.fault != nil, session.streamCount != 0 || session.acceptsStreams {
            throw FuzzFinding("a fault ends not all of \(bytes)")
        }
        session.write(into: &output, upTo: .max)
        if output.count > 2 << 20 { throw FuzzFinding("\(output.count) bytes answer \(bytes)") }
        session.end()
        if session.streamCount != 0 { throw FuzzFinding("an exchange goes on after the end") }
        for exchange in exchanges { try exchange.check(bytes) }
        // A session without exchanges whose peer is going away may ignore what comes. So its own state says nothing.
        return exchanges.map(\.summary)
    }

    private final class Exchange: HTTP2Exchange {
        let method: String
        let head = HeadParser()
        var stream: Int32 = 0
        private let session: HTTP2Session
        private let last: Int?
        private var events: [String] = []
        private var body: [UInt8] = []
        private var isCancelled = false
        private var finding: String?
        private var supplied = 0

        init(_ method: String, _ session: HTTP2Session, last: Int?) {
            self.method = method
            self.session = session
            self.last = last
            head.reset(limits: ResponseLimits())
        }

        /// The events that do not depend on the pieces in which bytes arrive. Before a fault there is more of a body in
        /// smaller ones.
        var summary: String {
            events.last == "end" ? "\(events) \(body) \(head.section)" : "\(events.filter { $0 != "body" })"
        }

        func received(_ event: HTTP2Event) {
            if isCancelled { finding = "an event after the exchange was cancelled" }
            switch event {
            case .interim: note("interim", after: ["interim"])
            case .status: note("status", after: ["interim"])
            case .head: note("head", after: ["status"])
            case .body(let bytes):
                body += bytes
                if events.last != "body" { note("body", after: ["head"]) }
                session.consumed(bytes.count, of: stream)
            case .end:
                note("end", after: ["head", "body"])
                let hasNoBody = method == "HEAD" || head.status == 204 || head.status == 304
                let length = hasNoBody ? 0 : head.framing.length ?? Int64(body.count)
                if Int64(body.count) != length { finding = "a body of \(body.count) bytes instead of \(length)" }
            case .fault(let fault): note("fault \(fault)", after: nil)
            case .closed(let end): note("closed \(end), \(session.fault?.message ?? "")", after: nil)
            }
            if events.count == last {
                isCancelled = true
                session.cancel(stream)
            }
        }

        private func note(_ event: String, after others: [String]?) {
            if let before = events.last {
                if before == "end" || before.hasPrefix("fault") || before.hasPrefix("closed") {
                    finding = "\(event) after \(before)"
                } else if let others, !others.contains(before) {
                    finding = "\(event) after \(before)"
                }
            } else if let others, !others.contains("interim") {
                finding = "\(event) at first"
            }
            events.append(event)
        }

        func supplyBody(_ room: UnsafeMutableRawBufferPointer) -> BodySupply {
            supplied += 1
            return supplied > 3 ? .end : .bytes(min(room.count, 500), isLast: false)
        }

        func check(_ bytes: [UInt8]) throws {
            if let finding { throw FuzzFinding("\(finding) in \(bytes)") }
            let isOver = events.last.map { $0 == "end" || $0.hasPrefix("fault") || $0.hasPrefix("closed") } ?? false
            if !isOver, !isCancelled { throw FuzzFinding("an exchange does not end in \(bytes)") }
        }
    }
}
