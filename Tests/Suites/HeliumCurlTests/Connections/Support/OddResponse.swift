import HTTPTypes
import HeliumCore
import Testing

/// A response that is seldom seen, or not allowed, and what a call makes of it (RFC 9112, RFC 9110).
struct OddResponse: Sendable, CustomTestStringConvertible {
    /// The result of a call.
    enum Outcome: Hashable, Sendable {
        case response(Int, String)
        /// Without a delivery where no valid status line has arrived: whether that is a response is a matter of taste.
        case failure(FailureKind, DeliveryState?)

        static let hello = Self.response(200, "hello")
        static let malformed = Self.failure(.malformedResponse, .answered)
        static let noStatus = Self.failure(.malformedResponse, nil)
        static let lost = Self.failure(.connectionLost, .answered)
    }

    /// The server's last step, after its bytes.
    enum End: Sendable { case stays, ends, cuts, resets }

    let name: String
    let bytes: [UInt8]
    /// The results that the RFCs allow.
    private(set) var outcomes: Set<Outcome>
    var end = End.stays
    var method = HTTPRequest.Method.get
    var line = ConnectionLine.clear
    /// A field and its value, in which a line break with white space is as good as a space.
    var field: (name: HTTPField.Name, value: String)?
    /// Whether the next call needs another connection. It needs one after each failure.
    var endsConnection = false
    /// Whether the bytes come one by one.
    var isSlow = false

    var testDescription: String { name }

    init(
        _ name: String,
        _ text: String,
        _ outcomes: Outcome...,
        then end: End = .stays,
        _ change: (inout Self) -> Void = { _ in }
    ) {
        self.name = name
        bytes = Array(text.utf8)
        self.outcomes = Set(outcomes)
        self.end = end
        change(&self)
    }

    /// A response with a body of a known length.
    private static func fields(
        _ name: String,
        _ lines: String,
        _ outcomes: Outcome...,
        and change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var response = Self(name, "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 5\r\n\r\nhello")
        response = Self(copy: response, outcomes: outcomes)
        change(&response)
        return response
    }

    /// A response with a body in chunks.
    private static func chunks(_ name: String, _ body: String, _ outcomes: Outcome..., then end: End = .stays) -> Self {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return Self(copy: Self(name, head + body, then: end), outcomes: outcomes)
    }

    private init(copy other: Self, outcomes: [Outcome]) {
        self = other
        self.outcomes = Set(outcomes)
    }
}

// MARK: The table

extension OddResponse {
    static let all = statusLines + fieldLines + framings + chunkings + ends + interims

    /// RFC 9112 §4.
    private static let statusLines: [Self] = [
        .init("no reason", "HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\nhello", .hello),
        .init("no reason and no space", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", .hello),
        .init("a reason of other bytes", "HTTP/1.1 200 \tÄ ok\r\nContent-Length: 5\r\n\r\nhello", .hello),
        // A recipient may parse on white space.
        .init("two spaces", "HTTP/1.1  200 OK\r\nContent-Length: 5\r\n\r\nhello", .hello, .noStatus),
        .init("another minor version", "HTTP/1.2 200 OK\r\nContent-Length: 5\r\n\r\nhello", .hello, .noStatus),
        .init("another major version", "HTTP/3.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus),
        .init("a status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus),
        .init("a status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus),
        .init("a status with a letter", "HTTP/1.1 2O0 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus),
        .init("a status below 100", "HTTP/1.1 099 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus),
        .init("an unknown status", "HTTP/1.1 799 Odd\r\nContent-Length: 5\r\n\r\nhello", .response(799, "hello")),
        .init("another protocol", "ICY 200 OK\r\nContent-Length: 5\r\n\r\nhello", .noStatus, then: .ends),
        .init("an empty line before", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .hello, .noStatus),
        .init("bare line feeds", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", .hello),
        .init("nothing but the end", "", .failure(.connectionLost, .maybeSent), then: .ends),
    ]

    /// RFC 9112 §5, RFC 9110 §5.5.
    private static let fieldLines: [Self] = [
        .fields("a folded Content-Type", "Content-Type: text/plain;\r\n charset=latin1\r\n", .hello) {
            $0.field = (.contentType, "text/plain; charset=latin1")
        },
        .fields("a folded Location", "Location:\r\n\t/here\r\n", .hello) { $0.field = (.location, "/here") },
        .fields("names in mixed case", "cONTENT-tYPE: text/plain\r\n", .hello) {
            $0.field = (.contentType, "text/plain")
        },
        .fields("no white space", "Content-Type:text/plain\r\n", .hello) { $0.field = (.contentType, "text/plain") },
        .fields("much white space", "Content-Type: \t text/plain \t \r\n", .hello) {
            $0.field = (.contentType, "text/plain")
        },
        .fields("an empty value", "Content-Type:\r\n", .hello) { $0.field = (.contentType, "") },
        // To be refused, or to be taken for a space.
        .fields("a zero byte in a value", "X-Odd: a\0b\r\n", .hello, .malformed),
        .fields("a carriage return in a value", "X-Odd: a\rContent-Length: 9\r\n", .hello, .malformed),
        .fields("white space before the first field", " X-Odd: y\r\n", .hello, .malformed),
        .fields("a line without a colon", "nonsense\r\n", .hello, .malformed),
        .fields("a field without a name", ": nameless\r\n", .hello, .malformed),
        // Never a body that ends with the connection.
        .init(
            "a space before the colon",
            "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
            .hello,
            .malformed
        ),
    ]

    /// RFC 9112 §6.
    private static let framings: [Self] = [
        .init("a length with zeros", "HTTP/1.1 200 OK\r\nContent-Length: 0005\r\n\r\nhello", .hello),
        .init("a length with white space", "HTTP/1.1 200 OK\r\nContent-Length:\t5 \t\r\n\r\nhello", .hello),
        .init("a length of nothing", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .response(200, "")),
        .init("a length with 204", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", .response(204, "")),
        .init("a length with 304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", .response(304, "")),
        .init("chunks with 304", "HTTP/1.1 304 X\r\nTransfer-Encoding: chunked\r\n\r\n", .response(304, "")),
        .init("a length with HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .response(200, "")) {
            $0.method = .head
        },
        .init("chunks with HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .response(200, "")) {
            $0.method = .head
        },
        .init(
            "a length and then chunks",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello,
            .malformed
        ),
        .init(
            "chunks and then a length",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello,
            .malformed
        ),
        .init(
            "chunks and a length that is no number",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello,
            .malformed
        ),
        .init(
            "a transfer coding in mixed case, and empty elements",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: , Chunked,\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello
        ),
        .init(
            "an unknown transfer coding",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\nContent-Length: 5\r\n\r\nhello",
            .malformed
        ),
        .init(
            "chunks twice",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello,
            .malformed
        ),
        .init("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", .hello) { $0.endsConnection = true },
        .init(
            "HTTP/1.0 with keep-alive",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
            .hello
        ),
        // Its framing counts as broken, also with a length.
        .init(
            "HTTP/1.0 with chunks and keep-alive",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            .hello,
            .malformed
        ) { $0.endsConnection = true },
        .init(
            "close among other options",
            "HTTP/1.1 200 OK\r\nConnection: x-odd, CLOSE\r\nContent-Length: 5\r\n\r\nhello",
            .hello
        ) { $0.endsConnection = true },
        .init(
            "close in a second field",
            "HTTP/1.1 200 OK\r\nConnection: x-odd\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
            .hello
        ) { $0.endsConnection = true },
    ]

    /// RFC 9112 §7.1.
    private static let chunkings: [Self] = [
        .chunks("extensions", "5;a=b ; c=\"d;e\"\r\nhello\r\n0;last\r\n\r\n", .hello),
        .chunks("a size with zeros", "0000000005\r\nhello\r\n00\r\n\r\n", .hello),
        .chunks("a size in capitals", "A\r\n0123456789\r\n0\r\n\r\n", .response(200, "0123456789")),
        .chunks("trailers", "5\r\nhello\r\n0\r\nX-Odd: 1\r\nContent-Length: 9\r\n\r\n", .hello),
        .chunks("a size that is too large", "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n", .malformed),
        .chunks("a negative size", "-5\r\nhello\r\n0\r\n\r\n", .malformed),
        .chunks("a size with a prefix", "0x5\r\nhello\r\n0\r\n\r\n", .malformed),
        .chunks("an empty size", "\r\nhello\r\n0\r\n\r\n", .malformed),
        .chunks("no size but an extension", ";a=b\r\nhello\r\n0\r\n\r\n", .malformed),
        .chunks("more bytes than the size", "5\r\nhello, all\r\n0\r\n\r\n", .malformed),
        .chunks("bare line feeds in chunks", "5\nhello\n0\n\n", .hello, .malformed),
        .chunks("the end within a size", "5\r\nhello\r\n1", .lost, then: .ends),
        .chunks("the end within a chunk", "5\r\nhel", .lost, then: .ends),
        .init(
            "one byte after the other",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Odd: 1\r\n\r\n5\r\nhello\r\n0\r\nX-End: 1\r\n\r\n",
            .hello
        ) { $0.isSlow = true },
    ]

    /// RFC 9112 §8, §9.8.
    private static let ends: [Self] = [
        .init("a body up to the end", "HTTP/1.1 200 OK\r\n\r\nhello", .hello, then: .ends),
        .init("an empty body up to the end", "HTTP/1.1 200 OK\r\n\r\n", .response(200, ""), then: .ends),
        .init("a body up to close_notify", "HTTP/1.1 200 OK\r\n\r\nhello", .hello, then: .ends) { $0.line = .tls },
        .init("a body up to the end of TCP", "HTTP/1.1 200 OK\r\n\r\nhello", .malformed, then: .cuts) {
            $0.line = .tls
        },
        .init(
            "a whole body and the end of TCP",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            .hello,
            then: .cuts
        ) { $0.line = .tls },
        .chunks("whole chunks and the end", "5\r\nhello\r\n0\r\n\r\n", .hello, then: .ends),
        .init(
            "a part of a body and close_notify",
            "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
            .lost,
            then: .ends
        ) { $0.line = .tls },
        .init(
            "a part of a body and the end of TCP",
            "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
            .lost,
            then: .cuts
        ) { $0.line = .tls },
        // A reset discards what was not read, perhaps the head too.
        .init("a body up to a reset", "HTTP/1.1 200 OK\r\n\r\n", .failure(.connectionLost, nil), then: .resets),
        .init("the end within fields over TLS", "HTTP/1.1 200 OK\r\nX-Odd", .lost, then: .ends) { $0.line = .tls },
    ]

    /// RFC 9110 §15.2.
    private static let interims: [Self] = [
        .init(
            "interim responses in one packet with the final one",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early\r\nX-Odd: 1\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            .hello
        ),
        .init(
            "an unknown interim response with a length",
            "HTTP/1.1 199 Odd\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            .hello
        ),
        .init("an interim response and the end", "HTTP/1.1 103 Early\r\n\r\n", .lost, then: .ends),
    ]
}
