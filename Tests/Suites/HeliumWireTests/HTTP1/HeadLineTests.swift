import Testing

@Suite("Header lines of HTTP/1.1")
struct HeadLineTests {
    private static let notHTTP = "the response is not valid HTTP"
    private static let line = "the response has an invalid header line"
    private static let bytes = "a header line has a zero byte or a bare carriage return"

    @Test(
        "a status line has a version, a status, and a reason or none",
        arguments: [
            ("HTTP/1.1 200 OK", 200), ("HTTP/1.1 200 ", 200), ("HTTP/1.1 200", 200), ("HTTP/1.0 404 Not  Found", 404),
            ("HTTP/1.1 599 \u{E9}\t!", 599), ("HTTP/1.1 999 x", 999), ("HTTP/1.1 200  two spaces", 200),
        ]
    )
    func acceptsStatus(line: String, status: Int) {
        for end in ["\r\n", "\n"] {
            let run = read("\(line)\(end)Content-Length: 0\(end)\(end)")
            #expect(run.events.dropLast() == ["status \(status)", "head"])
            #expect(run.section == "Content-Length: 0\(end)")
        }
    }

    @Test(
        "any other first line is malformed, before it ends if it does not begin as one",
        arguments: [
            "220 mail ready", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK",
            "HTTP/1.1 200OK", "HTTP/1.1 099 Low", "HTTP/1.1 +20 x", "HTTP/1.2 200 OK", "HTTP/2.0 200 OK",
            "HTTP/2 200 OK", "HTTP/1.10 200 OK", "http/1.1 200 OK", " HTTP/1.1 200 OK", "HTTP/1.1", "", "HTTP/1.1 ",
            "ICY 200 OK", "HTTP/1.1 200\u{B} OK", "HTTP/0.9 200 OK", "HTTP/1.1:200 OK", "\u{15}\u{3}\u{1}",
        ]
    )
    func refusesStatus(line: String) {
        #expect(read("\(line)\r\nContent-Length: 0\r\n\r\n").events == [Self.notHTTP])
        #expect(read("\(line)\n").events == [Self.notHTTP])
    }

    @Test(
        "a first line that can't be a status line is malformed before it ends",
        arguments: ["S", "HTTP/2", "\0", "HTTQ"]
    )
    func refusesEarly(text: String) {
        #expect(read(text).events == [Self.notHTTP])
    }

    @Test(
        "a field is a token, a colon and a value",
        arguments: [
            "A: b", "A:b", "A:", "A: ", "A:\t b \t", "!#$%&'*+-.^_`|~09azAZ: x", "A: \u{E9}\u{1}\u{7F}", "A: b: c",
            "A: \"\t\"",
        ]
    )
    func acceptsField(line: String) {
        let run = read("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n")
        #expect(run.events == ["status 200", "head", "end, reusable"])
        #expect(run.section == "\(line)\r\nContent-Length: 0\r\n")
    }

    @Test(
        "a line without a token before its colon is malformed, in each kind of section",
        arguments: [
            "A : b", "A\t: b", ": b", "A", "A b: c", "A(b): c", "\u{E9}: x", "A/B: c", "{\"a\": 1}", "A\u{7F}: b",
            "[a]: b", "A=b", "HTTP/1.1 200 OK",
        ]
    )
    func refusesField(line: String) {
        for section in [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nB: c\r\n", "HTTP/1.1 103 Hints\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ] {
            #expect(read("\(section)\(line)\r\nContent-Length: 0\r\n\r\n").events.last == Self.line)
        }
    }

    @Test(
        "a zero byte and a bare carriage return are malformed, in each kind of line",
        arguments: [
            "HTTP/1.1 200 OK@\r\n", "HTTP/1.1 200 OK\r\nA: @b\r\n", "HTTP/1.1 200 OK\r\nA@: b\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n c@\r\n", "HTTP/1.1 200 OK\r\nA: 1234567890@\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b@\r\n",
        ],
        ["\0", "\r", "\rX", "\r\r", "\r\0"]
    )
    func refusesBytes(text: String, bytes: String) {
        let text = text.split(separator: "@", omittingEmptySubsequences: false).joined(separator: bytes)
        let run = read("\(text)\r\n")
        #expect(run.events.last == Self.bytes)
    }

    @Test("an empty line of a carriage return alone is malformed")
    func refusesReturn() {
        #expect(read("HTTP/1.1 200 OK\r\n\rA: b\r\n\r\n").events == ["status 200", Self.bytes])
    }

    @Test(
        "a line that begins with white space continues the field before it after one space",
        arguments: [
            ("A: b\r\n c", "A: b c"), ("A: b  \t\r\n\t  c", "A: b c"), ("A:\r\n b", "A: b"),
            ("A: b\n c\n  d", "A: b c d"),
            ("A: b\r\n \r\n c", "A: b c"), ("A: b\r\n ", "A: b "), ("A: b\r\n c\r\nD: e\r\n f", "A: b c\r\nD: e f"),
            ("A:   \r\n b: c", "A: b: c"),
        ]
    )
    func folds(lines: String, joined: String) {
        let run = read("HTTP/1.1 200 OK\r\n\(lines)\r\nContent-Length: 0\r\n\r\n")
        #expect(run.events == ["status 200", "head", "end, reusable"])
        #expect(run.section == "\(joined)\r\nContent-Length: 0\r\n")
    }

    @Test("a joined field is read as a whole")
    func foldsFraming() {
        let length = read("HTTP/1.1 200 OK\r\nContent-Length:\r\n 3\r\nConnection: a,\r\n close\r\n\r\nabc")
        #expect(length.events == ["status 200", "head", "body abc", "end"])
        let two = read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 0\r\n\r\n")
        #expect(two.events == ["status 200", "the Content-Length is not a valid number"])
        let chunked = read("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n0\r\nA: b\r\n c\r\n\r\n")
        #expect(chunked.events == ["status 200", "head", "end, reusable"])
    }

    @Test(
        "the first line of a section must not begin with white space",
        arguments: [
            "HTTP/1.1 200 OK\r\n A: b\r\n\r\n", "HTTP/1.1 200 OK\r\n \r\n\r\n", "HTTP/1.1 103 OK\r\n\tA: b\r\n\r\n",
            "HTTP/1.1 103 OK\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n A: b\r\n\r\n",
        ]
    )
    func refusesFirstFold(text: String) {
        #expect(read(text).events.last == Self.line)
    }
}
