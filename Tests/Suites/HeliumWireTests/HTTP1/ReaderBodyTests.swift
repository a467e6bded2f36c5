import Testing

@Suite("Bodies of HTTP/1.1")
struct ReaderBodyTests {
    private static let chunks = "the chunked coding of the body is invalid"

    private func events(ofChunks text: String) -> [String] {
        Array(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(text)").events.dropFirst(2))
    }

    @Test(
        "the data of chunks is the body",
        arguments: [
            ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("1\r\na\r\n2\r\nbc\r\n000\r\n\r\n", "abc"),
            ("0000000000000000000003\r\nabc\r\n0\r\n\r\n", "abc"), ("3;x=y;z=\"a;b\"\r\nabc\r\n0;q\r\n\r\n", "abc"),
            ("3  \r\nabc\r\n0\t\r\n\r\n", "abc"), ("3 ; x\r\nabc\r\n0\r\n\r\n", "abc"),
            ("3\r\nabc\r\n0\r\nA: b\r\nContent-Length: 9\r\n\r\n", "abc"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
            ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"), ("0\r\nA: b\n\n", ""),
        ]
    )
    func acceptsChunks(text: String, body: String) {
        #expect(events(ofChunks: text) == (body.isEmpty ? [] : ["body \(body)"]) + ["end, reusable"])
    }

    @Test(
        "any other chunk is malformed",
        arguments: [
            "nonsense\r\n", "\r\n", " 3\r\nabc\r\n", "3\nabc\r\n", "3\r\nabc\n0\r\n\r\n", "3\r\nabcd\r\n", "-3\r\n",
            "+3\r\n",
            "0x3\r\n", "3\rabc", "3 3\r\n", "3\r\nabc0\r\n", "3\r\nabc\r0\r\n", ";x\r\n", "3;a\nb\r\nabc",
            "3;a\rb\r\nabc",
            "3;\0\r\n", "8000000000000000\r\n", "10000000000000003\r\n", "g\r\n", "0\nA: b\r\n\r\n", "3,3\r\n",
            "\u{FF13}\r\n",
        ]
    )
    func refusesChunks(text: String) {
        #expect(events(ofChunks: text).last == Self.chunks)
    }

    @Test("a line with a size has at most 1024 bytes")
    func boundsExtensions() {
        for (text, isAccepted) in [("1;", true), ("0", true), ("1;", false), ("0", false)] {
            let fill = String(
                repeating: text == "0" ? "0" : "x",
                count: 1024 - text.utf8.count - 1 + (isAccepted ? 0 : 1)
            )
            let line = text == "0" ? "0\(fill)".dropLast() + "1" : "\(text)\(fill)"
            #expect(events(ofChunks: "\(line)\r\n-\r\n0\r\n\r\n").last == (isAccepted ? "end, reusable" : Self.chunks))
        }
    }

    @Test("a chunk of 2⁶³ − 1 bytes is accepted, and what has arrived of it is passed on")
    func largestChunk() {
        #expect(events(ofChunks: "7fffffffffffffff\r\nabc") == ["body abc", "…"])
    }

    @Test("a body with a length ends after it, and one without ends with the connection")
    func lengths() {
        let three = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"
        #expect(read("\(three)abc").events == ["status 200", "head", "body abc", "end, reusable"])
        #expect(read("\(three)abcd").rest == 1)
        #expect(read("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nabcd").rest == 4)
        let none = "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\n"
        #expect(read("\(none)abc", ending: .plain).events == ["status 200", "head", "body abc", "end"])
        #expect(read("\(none)abc", ending: .tls).events == ["status 200", "head", "body abc", "end"])
        let fault = "the TLS connection ended without close_notify, and the body has no length"
        #expect(read("\(none)abc", ending: .cutTLS).events == ["status 200", "head", "body abc", fault])
        #expect(read("\(three)abc", ending: .cutTLS).events.last == "end, reusable")
    }

    @Test(
        "a response that can't have a body ends with its head, whatever its fields say",
        arguments: [("HEAD", 200), ("HEAD", 404), ("GET", 204), ("POST", 304), ("CONNECT", 200), ("CONNECT", 299)],
        ["", "Content-Length: 7\r\n", "Transfer-Encoding: chunked\r\n"]
    )
    func noBody(request: (String, Int), fields: String) {
        let run = read("HTTP/1.1 \(request.1) X\r\n\(fields)\r\nabc", methods: [request.0])
        #expect(run.events.dropLast() == ["status \(request.1)", "head"] && run.rest == 3)
        // What follows a CONNECT is the tunnel.
        #expect(run.events.last == (request.0 == "CONNECT" ? "end" : "end, reusable"))
    }

    @Test("other responses to CONNECT, and 205, have a body", arguments: [("CONNECT", 407), ("GET", 205)])
    func otherBodies(request: (String, Int)) {
        let run = read("HTTP/1.1 \(request.1) X\r\nContent-Length: 2\r\n\r\nno", methods: [request.0])
        #expect(run.events == ["status \(request.1)", "head", "body no", "end, reusable"])
    }

    @Test(
        "fields that contradict each other or the version are malformed",
        arguments: [
            (
                "1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked",
                "the response has both Content-Length and Transfer-Encoding"
            ),
            (
                "1.1", "Transfer-Encoding: chunked\r\nContent-Length: 3",
                "the response has both Content-Length and Transfer-Encoding"
            ),
            ("1.0", "Transfer-Encoding: chunked", "a response in HTTP/1.0 has Transfer-Encoding"),
            ("1.1", "Transfer-Encoding: gzip, chunked", "the body has a transfer coding that was not requested"),
            ("1.1", "Transfer-Encoding: chunked;a=b", "the body has a transfer coding that was not requested"),
            ("1.1", "Transfer-Encoding: xchunked", "the body has a transfer coding that was not requested"),
            ("1.1", "Transfer-Encoding: chunked, chunked", "the body is chunked twice"),
            ("1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "the body is chunked twice"),
            (
                "1.1", "Content-Length: 3\r\nContent-Length: 4",
                "the response has two different values of Content-Length"
            ),
            ("1.1", "Content-Length: 9223372036854775808", "the Content-Length is not a valid number"),
            ("1.1", "Content-Length: 0x3", "the Content-Length is not a valid number"),
            ("1.1", "Content-Length: 3 3", "the Content-Length is not a valid number"),
            ("1.1", "Content-Length:", "the Content-Length is empty"),
            ("1.1", "Content-Length: ,", "the Content-Length is not a valid number"),
            ("1.1", "Content-Length: ,3", "the Content-Length is not a valid number"),
            ("1.1", "Content-Length: 3,", "the Content-Length is not a valid number"),
            (
                "1.1", "Transfer-Encoding: identity\r\nContent-Length: 3",
                "the body has a transfer coding that was not requested"
            ),
            ("1.1", "Transfer-Encoding: identity, chunked", "the body has a transfer coding that was not requested"),
            (
                "1.1", "Transfer-Encoding:\r\nContent-Length: 3",
                "the body has a transfer coding that was not requested"
            ),
        ]
    )
    func refusesFraming(version: String, fields: String, fault: String) {
        #expect(
            read("HTTP/\(version) 200 OK\r\n\(fields)\r\n\r\n3\r\nabc\r\n0\r\n\r\n").events == ["status 200", fault]
        )
    }

    @Test(
        "equal lengths are one",
        arguments: ["Content-Length: 3, 3", "Content-Length: 3\r\ncontent-length: 03", "Content-Length:3"]
    )
    func acceptsFraming(fields: String) {
        let run = read("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc")
        #expect(run.events == ["status 200", "head", "body abc", "end, reusable"])
    }

    @Test(
        "a connection that ends within a response loses it",
        arguments: [
            ("", "response"), ("H", "header section"), ("HTTP/1.1 20", "header section"),
            ("HTTP/1.1 200 OK\r\n", "header section"),
            ("HTTP/1.1 200 OK\r\nContent-", "header section"), ("HTTP/1.1 103 Hints\r\n\r\n", "header section"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "body"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "body"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "body"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", "body"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n", "body"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n", "body"),
        ],
        [ReaderRun.Ending.plain, .tls, .cutTLS]
    )
    func lost(input: (String, String), ending: ReaderRun.Ending) {
        let run = read(input.0, ending: ending)
        #expect(run.events.last == "lost: the connection ended before the \(input.1) was complete")
    }
}
