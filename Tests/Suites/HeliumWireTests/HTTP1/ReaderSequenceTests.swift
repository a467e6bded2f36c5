import HeliumCore
import HeliumWire
import Testing

@Suite("Responses of HTTP/1.1 on one connection")
struct ReaderSequenceTests {
    @Test("several responses in one read are read one after the other")
    func several() {
        let text =
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na" + "HTTP/1.1 204 No\r\nA: b\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nb\r\n0\r\n\r\n" + "HTTP/1.0 200 OK\r\n\r\nc"
        let run = read(text, methods: ["GET", "DELETE", "GET", "GET", "GET"], ending: .plain)
        #expect(
            run.events == [
                "status 200", "head", "body a", "end, reusable", "status 204", "head", "end, reusable", "status 200",
                "head", "body b", "end, reusable", "status 200", "head", "body c", "end",
            ]
        )
    }

    @Test("any number of interim responses comes before the final one, and none of their fields counts")
    func interim() {
        let early = "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
        let run = read("HTTP/1.1 100 Continue\n\n\(early)\(early)HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
        #expect(
            run.events == [
                "interim 100", "interim 103", "interim 103", "status 200", "head", "body a", "end, reusable",
            ]
        )
        #expect(run.section == "Content-Length: 1\r\n")
    }

    @Test("a switch of protocols is malformed, because no request asks for one")
    func switched() {
        let fault = "the server switched protocols without a request to do so"
        #expect(read("HTTP/1.1 101 Switching\r\n\r\n").events == [fault])
    }

    @Test("bytes without a request are a fault, and are not taken")
    func unasked() throws {
        var reader = HTTP1Reader()
        [UInt8]("HTTP".utf8).withUnsafeBytes { bytes in
            var position = 4
            if case .needsBytes = reader.read(bytes, from: &position) {} else { Issue.record("an event of no bytes") }
            position = 0
            guard case .fault(let fault) = reader.read(bytes, from: &position) else {
                Issue.record("no fault")
                return
            }
            #expect(fault == .malformed("the server sent bytes without a request") && position == 0)
            // A fault stays.
            guard case .fault(fault) = reader.read(bytes, from: &position) else {
                Issue.record("the fault is gone")
                return
            }
            #expect(reader.end(isOrderly: true, isSecure: true) == .fault(fault))
        }
    }

    @Test(
        "a connection stays open by the rules of its version",
        arguments: [
            ("1.1", "", true), ("1.1", "Connection: close", false), ("1.1", "connection: CLOSE", false),
            ("1.1", "Connection: keep-alive, close", false), ("1.1", "Connection: closed", true),
            ("1.1", "Connection: x\r\nConnection: close", false), ("1.0", "", false), ("1.0", "Connection: x", false),
            ("1.0", "Connection: Keep-Alive", true), ("1.0", "Connection: keep-alive, close", false),
            ("1.1", "Connection: \"close\"", true), ("1.1", "XConnection: close", true),
        ]
    )
    func reuse(version: String, fields: String, isReusable: Bool) {
        let fields = fields.isEmpty ? "" : "\(fields)\r\n"
        let run = read("HTTP/\(version) 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")
        #expect(run.events.last == (isReusable ? "end, reusable" : "end"))
    }

    @Test(
        "the idle time of a connection is the smallest valid timeout of Keep-Alive",
        arguments: [
            ("Keep-Alive: timeout=5", 5), ("keep-alive: max=100, Timeout=60", 60), ("Keep-Alive: timeout=0", 0),
            ("Keep-Alive: timeout=9\r\nKeep-Alive: timeout=7", 7), ("Keep-Alive: timeout=5s", nil),
            ("Keep-Alive: timeout=", nil), ("Keep-Alive: timeout=-1", nil), ("Keep-Alive: xtimeout=5", nil),
            ("Keep-Alive: timeout=99999999999999999999999999", 1_000_000), ("X: y", nil),
            ("Keep-Alive: timeout=x, timeout=3", 3),
        ] as [(String, Int?)]
    )
    func keepAlive(fields: String, seconds: Int?) {
        var reader = HTTP1Reader()
        let head = HeadParser()
        for (fields, seconds) in [(fields, seconds), ("A: b", nil)] {
            head.reset(limits: ResponseLimits())
            reader.begin(ResponseContext(), head: head)
            [UInt8]("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n".utf8).withUnsafeBytes { bytes in
                var position = 0
                for _ in 0..<2 { _ = reader.read(bytes, from: &position) }
                #expect(position == bytes.count)
            }
            #expect(reader.keepAlive == seconds.map { .seconds($0) })
        }
    }

    @Test("the state of a response is visible while it is read")
    func state() {
        var reader = HTTP1Reader()
        let head = HeadParser()
        head.reset(limits: ResponseLimits())
        reader.begin(ResponseContext(), head: head)
        #expect(!reader.isMidway && reader.remainingBytes == nil)
        [UInt8]("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".utf8).withUnsafeBytes { bytes in
            var position = 0
            _ = reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<1]), from: &position)
            #expect(reader.isMidway && reader.remainingBytes == nil)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[1...])
            position = 0
            for _ in 0..<2 { _ = reader.read(rest, from: &position) }
            #expect(reader.remainingBytes == 3)
            _ = reader.read(UnsafeRawBufferPointer(rebasing: rest[..<(position + 1)]), from: &position)
            #expect(reader.remainingBytes == 2 && reader.isMidway)
            _ = reader.read(rest, from: &position)
            _ = reader.read(rest, from: &position)
            #expect(!reader.isMidway && reader.remainingBytes == nil)
        }
    }
}

@Suite("Limits of header sections of HTTP/1.1")
struct ReaderCeilingTests {
    private static let limits: ResponseLimits = {
        var limits = ResponseLimits()
        limits.headerBytes = 100
        limits.headerCount = 3
        return limits
    }()
    private static let tooLong = "the header section has more than 100 bytes"
    private static let tooMany = "the header section has more than 3 fields"

    private func last(_ text: String) -> String? { read(text, limits: Self.limits).events.last }

    @Test("a head of exactly the limit is read, and one byte more is too much", arguments: ["\r\n", "\n"])
    func bytes(end: String) {
        let head = "HTTP/1.1 200 OK\(end)Content-Length: 0\(end)A: "
        let fill = String(repeating: "x", count: 100 - head.utf8.count - 2 * end.utf8.count)
        #expect(last("\(head)\(fill)\(end)\(end)") == "end, reusable")
        #expect(last("\(head)\(fill)x\(end)\(end)") == Self.tooLong)
    }

    @Test(
        "a line that does not end is too long at the limit",
        arguments: [
            "HTTP/1.1 200 ", "HTTP/1.1 200 OK\r\nA: ", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ]
    )
    func endless(text: String) {
        for fill in ["x", "\t", "\r", " ", "\0"] {
            #expect(last(text + String(repeating: fill, count: 120)) == Self.tooLong)
        }
    }

    @Test("interim responses, continuation lines and trailers count")
    func counts() {
        let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
        #expect(last(interim + interim + interim + interim) == Self.tooLong)
        let four = "A: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n"
        #expect(last("HTTP/1.1 200 OK\r\n\(four)") == Self.tooMany)
        #expect(last("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n d\r\n e\r\n\r\n") == Self.tooMany)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        #expect(last(chunked + four) == Self.tooMany)
        #expect(last(chunked + "A: b\r\nA: b\r\n\r\n") == "end, reusable")
    }
}
