import FuzzSupport
import HeliumCore
import TestSupport
import Testing

@Suite("Server-sent event parser", .timeLimit(.minutes(5)))
struct ServerSentEventParserTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        var events: [ServerSentEvent] = []
        var lastEventID = ""
        var retry: Duration?
        var isRefused = false
        var testDescription: String { name }
    }

    private static func message(_ data: String, id: String? = nil) -> ServerSentEvent {
        ServerSentEvent(data: data, id: id)
    }

    private static let samples = [
        Sample(name: "nothing", text: ""),
        Sample(name: "one line", text: "data: hello\n\n", events: [message("hello")]),
        Sample(
            name: "the specification's stock ticker",
            text: "data: YHOO\ndata: +2\ndata: 10\n\n",
            events: [message("YHOO\n+2\n10")]
        ),
        Sample(
            name: "the specification's four blocks",
            text: ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            events: [message("first event", id: "1"), message("second event"), message(" third event")]
        ),
        Sample(
            name: "the specification's empty data, the last event cut off",
            text: "data\n\ndata\ndata\n\ndata:",
            events: [message(""), message("\n")]
        ),
        Sample(
            name: "the space after the colon",
            text: "data:test\n\ndata: test\n\n",
            events: [message("test"), message("test")]
        ),
        Sample(name: "CR", text: "data: a\rdata: b\r\r", events: [message("a\nb")]),
        Sample(name: "CR LF", text: "data: a\r\ndata: b\r\n\r\n", events: [message("a\nb")]),
        Sample(
            name: "all ends mixed",
            text: "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r",
            events: [message("a\nb\nc"), message("d")]
        ),
        Sample(name: "a byte order mark", text: "\u{FEFF}data: a\n\n", events: [message("a")]),
        Sample(name: "a second byte order mark is part of a name", text: "\u{FEFF}\u{FEFF}data: a\n\n"),
        Sample(name: "a byte order mark later is data", text: "data: \u{FEFF}a\n\n", events: [message("\u{FEFF}a")]),
        Sample(name: "comments", text: ": a\n:\n::\ndata: x\n: b\n\n", events: [message("x")]),
        Sample(
            name: "a type, and only for its event",
            text: "event: add\ndata: 1\n\ndata: 2\n\nevent: a\nevent: b\ndata: 3\n\n",
            events: [ServerSentEvent(type: "add", data: "1"), message("2"), ServerSentEvent(type: "b", data: "3")]
        ),
        Sample(name: "a type without data is no event", text: "event: add\n\ndata: 1\n\n", events: [message("1")]),
        Sample(
            name: "an id stays, also from a block without data",
            text: "id: 1\n\ndata: a\n\nid: 2\ndata: b\n\ndata: c\n\n",
            events: [message("a", id: "1"), message("b", id: "2"), message("c", id: "2")],
            lastEventID: "2"
        ),
        Sample(
            name: "an id with NUL is ignored",
            text: "id: 1\nid: a\0b\ndata: a\n\n",
            events: [message("a", id: "1")],
            lastEventID: "1"
        ),
        Sample(
            name: "an id that is not allowed in a field is ignored like one with NUL",
            text: "id: 1\nid: a\u{1}b\ndata: a\n\nid: \u{7F}\ndata: b\n\nid: a\tb\ndata: c\n\n",
            events: [message("a", id: "1"), message("b", id: "1"), message("c", id: "a\tb")],
            lastEventID: "a\tb"
        ),
        Sample(
            name: "an id of an event cut off does not count",
            text: "id: 1\ndata: a\n\nid: 2\ndata: b\n",
            events: [message("a", id: "1")],
            lastEventID: "1"
        ),
        Sample(
            name: "an empty id takes it back",
            text: "id: 1\ndata: a\n\nid:\ndata: b\n\n",
            events: [message("a", id: "1"), message("b")]
        ),
        Sample(name: "retry", text: "retry: 1500\n", retry: .milliseconds(1500)),
        Sample(
            name: "retry without digits only",
            text: "retry: 1500 \nretry: -1\nretry: 1.5\nretry: \nretry\nretry: ٣\n"
        ),
        Sample(name: "retry beyond an hour", text: "retry: 99999999999999999999999\n", retry: .seconds(3600)),
        Sample(name: "retry of nothing", text: "retry: 000\n", retry: .zero),
        Sample(name: "unknown fields and letter case", text: "Data: a\nfoo: b\n data: c\ndata : d\n\n"),
        Sample(name: "text beyond ASCII", text: "data: Grüße 👋🏽\n\n", events: [message("Grüße 👋🏽")]),
        Sample(
            name: "an event without its blank line is dropped",
            text: "data: a\n\ndata: b\n",
            events: [message("a")]
        ),
        Sample(
            name: "as many bytes as an event may have",
            text: "data: 0123456789\ndata: 012345678\n\n",
            events: [message("0123456789\n012345678")]
        ),
        Sample(
            name: "one byte more",
            text: "data: a\n\ndata: 0123456789\ndata: 0123456789\n\n",
            events: [message("a")],
            isRefused: true
        ),
        Sample(
            name: "a line that is too long",
            text: "data: a\n\n:" + String(repeating: "x", count: 300),
            events: [message("a")],
            isRefused: true
        ),
    ]

    @Test("server-sent events are parsed by the specification, wherever chunks are cut", arguments: samples)
    func specification(sample: Sample) {
        let bytes = Array(sample.text.utf8)
        let expected = LineStreamFuzz.Events(
            events: sample.events,
            lastEventID: sample.lastEventID,
            retry: sample.retry,
            isRefused: sample.isRefused
        )
        func events(_ chunks: [[UInt8]]) -> LineStreamFuzz.Events {
            LineStreamFuzz.events(in: chunks, lineBytes: 256, eventBytes: 20)
        }
        #expect(events([bytes]) == expected)
        #expect(events(LineStreamFuzz.chunks(of: bytes, 1)) == expected)
        for cut in 0...bytes.count {
            #expect(events([Array(bytes[..<cut]), Array(bytes[cut...])]) == expected, "cut at \(cut)")
        }
    }

    @Test("invalid UTF-8 in server-sent events becomes replacement characters")
    func invalidText() {
        let bytes = Array("data: a".utf8) + [0xFF, 0xC3] + Array("\ndata: b\n\n".utf8)
        #expect(LineStreamFuzz.events(in: [bytes]).events == [ServerSentEvent(data: "a\u{FFFD}\u{FFFD}\nb")])
    }

    @Test("the last event id is that of the delivered events")
    func lastIDOfTaken() throws {
        var parser = ServerSentEventParser(lastEventID: "0", lineBytes: 100, eventBytes: 100)
        parser.append(Array("id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\n".utf8))
        #expect(parser.lastEventID == "0")
        #expect(try parser.next()?.data == "a" && parser.lastEventID == "1")
        #expect(try parser.next()?.data == "b" && parser.lastEventID == "2")
        #expect(try parser.next() == nil && parser.lastEventID == "2")
    }

    @Test("the next connection continues after the last event and forgets a partial one")
    func restart() throws {
        var parser = ServerSentEventParser(lineBytes: 100, eventBytes: 100)
        parser.append(Array("id: 1\ndata: a\n\nid: 2\nevent: x\ndata: lost\nda".utf8))
        _ = try parser.next()
        parser = parser.restarted()
        parser.append(Array("\u{FEFF}data: b\n\n".utf8))
        #expect(try parser.next() == ServerSentEvent(data: "b", id: "1"))
    }

    @Test("random inputs have the same events for any chunks", .tags(.random))
    func random() async throws {
        var input = FuzzInput(seed: ProofLength.seed(31), pieces: LineStreamFuzz.eventPieces)
        for number in ProofLength.rounds(2000) {
            // Others wait for the few threads that there are.
            if number.isMultiple(of: 500) { await Task.yield() }
            try LineStreamFuzz.serverSentEvents(input.next())
        }
    }
}
