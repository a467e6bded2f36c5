import HeliumCore
import HeliumJSON
import Synchronization
import Testing

@testable import AppNetServer

@Suite("Outputs of streams", .timeLimit(.minutes(5)))
struct StreamOutputTests {
    private static let message: JSONValue = [
        "meta": ["type": "star", "id": "1:2"], "data": ["post": ["id": "2", "text": "a"], "user": ["id": "1"]],
    ]
    private static let appNet = Self.message.text()
    private static let pnut =
        #"{"meta":{"type":"bookmark","id":"1:2"},"data":{"post":{"id":"2","counts":{"threads":1},"content":{"text":"a"}},"#
        + #""user":{"id":"1","content":{}}}}"#

    @Test("each consumer of a stream gets events in its own dialect, also those that are repeated after a cut")
    func dialects() {
        var output = StreamOutput(limits: ReplayBuffer.Limits(), at: 0)
        #expect(output.append(Self.message, in: .appNet, at: 0).sink == nil)

        let first = RecordingSink(number: 1)
        #expect(output.attach(first, in: .pnut, greeting: ["meta": ["connection_id": "c"]], at: 1) == nil)
        #expect(first.texts == [#"{"meta":{"connection_id":"c"}}"#, Self.pnut])
        let sent = output.append(Self.message, in: .pnut, at: 2)
        #expect(sent.sink === first)
        #expect(String(decoding: sent.frame, as: UTF8.self) == Self.pnut)

        let second = RecordingSink(number: 2)
        #expect(output.attach(second, in: .appNet, greeting: nil, at: 3) === first)
        #expect(second.texts == [Self.appNet, Self.appNet])
    }

    @Test("a stream keeps missed events up to its limit of bytes")
    func ceiling() {
        let length = Self.appNet.utf8.count
        var output = StreamOutput(limits: ReplayBuffer.Limits(bytes: 3 * length), at: 0)
        for _ in 0..<5 { _ = output.append(Self.message, in: .appNet, at: 0) }
        let sink = RecordingSink()
        #expect(output.attach(sink, in: .pnut, greeting: nil, at: 1) == nil)
        #expect(sink.texts == [Self.pnut, Self.pnut, Self.pnut])
    }
}

/// Two connections of one client, of which the server serves the second one first: the first one may have ended already.
@Suite("Consumers that are served late", .timeLimit(.minutes(5)))
struct LateConsumerTests {
    @Test("a user stream is not taken from the connection with the later request")
    func userStream() throws {
        let streams = AppNetEventHub(random: .system).userStreams
        let (early, late) = (RecordingSink(number: 1), RecordingSink(number: 2))
        #expect(try streams.connect(Self.request(deletesItself: false), late) { _ in nil } == "mine")
        #expect(try streams.connect(Self.request(deletesItself: true), early) { ["id": .string($0)] } == "mine")
        #expect(early.isEnded && early.texts.isEmpty && !late.isEnded)
        // Neither its end nor its options touch the stream.
        streams.disconnect("mine", early, at: 1)
        #expect(streams.counts.connected == 1)
        streams.send(["n": 1], to: "mine", at: 1)
        #expect(late.texts == [#"{"n":1}"#] && early.texts.isEmpty)
        streams.disconnect("mine", late, at: 2)
        #expect(streams.counts.streams == 1 && streams.counts.connected == 0)
    }

    @Test("an app stream is not taken from the connection with the later request")
    func appStream() {
        let streams = AppNetEventHub(random: .system).appStreams
        let (early, late) = (RecordingSink(number: 1), RecordingSink(number: 2))
        let display = GeneralParameters()
        streams.connect(7, late, purges: false, deletesItself: false, display: display, at: 0)
        streams.connect(7, early, purges: true, deletesItself: true, display: display, at: 0)
        #expect(early.isEnded && !late.isEnded)
        #expect(!streams.disconnect(7, early, at: 1))
        streams.send(["n": 1], to: 7, at: 1)
        #expect(late.texts == [#"{"n":1}"#] && early.texts.isEmpty)
        #expect(!streams.disconnect(7, late, at: 2))
    }

    private static func request(deletesItself: Bool) -> UserStreams.ConnectionRequest {
        UserStreams.ConnectionRequest(
            token: 1,
            viewer: AppNetViewer(user: 1, client: "c"),
            user: 1,
            requestedID: "mine",
            deletesItself: deletesItself,
            display: GeneralParameters(),
            now: 0
        )
    }
}

/// A consumer that keeps its frames.
private final class RecordingSink: FrameSink {
    let number: Int
    private let taken = Mutex<[String]>([])
    private let ended = Mutex(false)

    init(number: Int = 1) { self.number = number }

    var texts: [String] { taken.withLock { $0 } }
    var isEnded: Bool { ended.withLock { $0 } }
    var fill: Double { 0 }
    func send(_ frame: [UInt8]) { taken.withLock { $0.append(String(decoding: frame, as: UTF8.self)) } }
    func end() { ended.withLock { $0 = true } }
    func cut(in frame: [UInt8]) {}
}
