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

        let first = RecordingSink()
        #expect(output.attach(first, in: .pnut, greeting: ["meta": ["connection_id": "c"]], at: 1) == nil)
        #expect(first.texts == [#"{"meta":{"connection_id":"c"}}"#, Self.pnut])
        let sent = output.append(Self.message, in: .pnut, at: 2)
        #expect(sent.sink === first)
        #expect(String(decoding: sent.frame, as: UTF8.self) == Self.pnut)

        let second = RecordingSink()
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

/// A consumer that keeps its frames.
private final class RecordingSink: FrameSink {
    private let taken = Mutex<[String]>([])

    var texts: [String] { taken.withLock { $0 } }
    var fill: Double { 0 }
    func send(_ frame: [UInt8]) { taken.withLock { $0.append(String(decoding: frame, as: UTF8.self)) } }
    func end() {}
    func cut(in frame: [UInt8]) {}
}
