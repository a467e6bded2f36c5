import HTTPTypes
import HeliumBytes
import HeliumWire
import Testing

@Suite("Requests in HTTP/1.1")
struct WriterTests {
    private func text(_ head: borrowing RequestHead) -> String {
        var output = ByteQueue()
        HTTP1Writer.write(head, into: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test("a head has the request line, Host, Accept-Encoding, the caller's fields and the body's, in this order")
    func order() throws {
        var head = RequestHead(
            method: "post",
            authority: "example.com:8080",
            target: "/a/../b%7e?c={}",
            acceptEncoding: "gzip, deflate",
            body: .length(1234)
        )
        head.fields = [.userAgent: "x", .expect: "100-continue"]
        head.fields.append(HTTPField(name: try #require(HTTPField.Name("X-CaSe")), value: "  a\tb \u{E9}"))
        head.fields.append(HTTPField(name: .cookie, value: "c=d"))
        head.fields.append(HTTPField(name: .cookie, value: "e=f"))
        #expect(
            text(head)
                == "post /a/../b%7e?c={} HTTP/1.1\r\nHost: example.com:8080\r\nAccept-Encoding: gzip, deflate\r\n"
                + "User-Agent: x\r\nExpect: 100-continue\r\nX-CaSe: a\tb \u{E9}\r\nCookie: c=d\r\nCookie: e=f\r\n"
                + "Content-Length: 1234\r\n\r\n"
        )
    }

    @Test(
        "a body adds its length or its coding",
        arguments: [
            (RequestHead.Body.none, ""), (.length(0), "Content-Length: 0\r\n"), (.length(10), "Content-Length: 10\r\n"),
            (.length(.max), "Content-Length: 9223372036854775807\r\n"), (.unknown, "Transfer-Encoding: chunked\r\n"),
        ]
    )
    func bodies(body: RequestHead.Body, line: String) {
        let written = text(RequestHead(authority: "a", body: body))
        #expect(written == "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n")
    }

    @Test(
        "the fields of the transport are not taken from the caller",
        arguments: ["Host", "HOST", "content-length", "Transfer-Encoding", "Accept-Encoding", "Connection"]
    )
    func leavesOut(name: String) throws {
        var head = RequestHead(authority: "a")
        head.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "1"))
        head.fields.append(HTTPField(name: try #require(HTTPField.Name("\(name)s")), value: "1"))
        let written = text(head)
        #expect(written == "GET / HTTP/1.1\r\nHost: a\r\n\(name)s: 1\r\n\r\n")
    }

    @Test("an empty value is sent as one")
    func emptyValue() throws {
        var head = RequestHead(authority: "a")
        head.fields.append(HTTPField(name: try #require(HTTPField.Name("X-Empty")), value: ""))
        let written = text(head)
        #expect(written == "GET / HTTP/1.1\r\nHost: a\r\nX-Empty:\r\n\r\n")
    }

    @Test(
        "a proxy gets the absolute form",
        arguments: [("/a?b", "http://h:1/a?b"), ("*", "http://h:1"), ("/", "http://h:1/")]
    )
    func absolute(target: String, form: String) {
        let head = RequestHead(authority: "h:1", target: target, isAbsolute: true)
        let written = text(head)
        #expect(written == "GET \(form) HTTP/1.1\r\nHost: h:1\r\n\r\n")
    }

    @Test("many long fields are written whole")
    func many() throws {
        var head = RequestHead(authority: "a")
        var lines = ""
        for index in 0..<200 {
            let value = String(repeating: "v", count: index * 7 % 300 + 1)
            head.fields.append(HTTPField(name: try #require(HTTPField.Name("x-\(index)")), value: value))
            lines += "x-\(index): \(value)\r\n"
        }
        let written = text(head)
        #expect(written == "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
    }

    @Test("chunks have their size, and an empty one is not written")
    func chunks() {
        var output = ByteQueue()
        for size in [1, 0, 15, 16, 255, 65_536] {
            [UInt8](repeating: 0x78, count: size).withUnsafeBytes { HTTP1Writer.writeChunk($0, into: &output) }
        }
        HTTP1Writer.writeEnd(into: &output)
        let expected = ["1", "f", "10", "ff", "10000"].map { size in
            "\(size)\r\n\(String(repeating: "x", count: Int(size, radix: 16) ?? 0))\r\n"
        }
        #expect(String(decoding: output.bytes, as: UTF8.self) == expected.joined() + "0\r\n\r\n")
    }

    @Test("chunks that were written are read as the same body")
    func roundTrip() {
        var output = ByteQueue()
        for text in ["a", "bc", "def"] {
            Array(text.utf8).withUnsafeBytes { HTTP1Writer.writeChunk($0, into: &output) }
        }
        HTTP1Writer.writeEnd(into: &output)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(
            read(head + String(decoding: output.bytes, as: UTF8.self)).events[2...] == ["body abcdef", "end, reusable"]
        )
    }
}

@Suite("Heads of requests")
struct RequestHeadTests {
    private static let broken: [(@Sendable () -> RequestHead, String)] = [
        ({ RequestHead(method: "", authority: "a") }, "method"),
        ({ RequestHead(method: "GE T", authority: "a") }, "method"),
        ({ RequestHead(method: "GET\r\n", authority: "a") }, "method"),
        ({ RequestHead(method: "G\u{E9}T", authority: "a") }, "method"),
        ({ RequestHead(scheme: "ftp", authority: "a") }, "scheme"),
        ({ RequestHead(scheme: "HTTP", authority: "a") }, "scheme"),
        ({ RequestHead(authority: "") }, "authority"),
        ({ RequestHead(authority: "a b") }, "authority"),
        ({ RequestHead(authority: "a\r\nX: y") }, "authority"),
        ({ RequestHead(authority: "a", target: "") }, "target"),
        ({ RequestHead(authority: "a", target: "a") }, "target"),
        ({ RequestHead(authority: "a", target: "/a b") }, "target"),
        ({ RequestHead(authority: "a", target: "/a\n") }, "target"),
        ({ RequestHead(authority: "a", target: "/\u{7F}") }, "target"),
        ({ RequestHead(authority: "a", target: "http://a/") }, "target"),
        ({ RequestHead(authority: "a", acceptEncoding: "a\r\nb") }, "field"),
        ({ RequestHead(authority: "a", body: .length(-1)) }, "length"),
    ]

    @Test(
        "a head that would be read differently than it was meant can't be sent",
        arguments: RequestHeadTests.broken
    )
    func faults(head: @Sendable () -> RequestHead, word: String) {
        let fault = head().fault
        #expect(fault?.contains(word) == true)
    }

    @Test("a value with a line break or a zero byte can't be sent", arguments: [0, 10, 13] as [UInt8])
    func values(byte: UInt8) {
        var head = RequestHead(authority: "a")
        head.fields.append(HTTPField(name: .cookie, lenientValue: [0x61, byte, 0x62]))
        let text = head.fields[.cookie] ?? ""
        let fault = head.fault
        let isKept = text.utf8.contains(byte)
        #expect((fault == "a header field has a line break or a zero byte") == isKept)
    }

    @Test(
        "methods, targets and authorities of every kind can be sent",
        arguments: [
            ("OPTIONS", "*", "[::1]:80"), ("CONNECT", "a:443", "a:443"), ("m!#$%&'*+-.^_`|~9", "/\u{E9}?{}|\\", "a"),
        ]
    )
    func accepts(method: String, target: String, authority: String) {
        let fault = RequestHead(method: method, authority: authority, target: target).fault
        #expect(fault == nil)
    }
}
