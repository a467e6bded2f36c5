import GRDB
import HeliumCore
import HeliumDatabase
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

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
    func appStream() throws {
        let streams = AppNetEventHub(random: .system).appStreams
        let (early, late) = (RecordingSink(number: 1), RecordingSink(number: 2))
        let display = GeneralParameters()
        let record = AppStreamRecord(id: 7, token: 1, client: "c", objectTypes: [])
        try streams.connect(record, late, token: 1, purges: false, deletesItself: false, display: display, at: 0)
        try streams.connect(record, early, token: 1, purges: true, deletesItself: true, display: display, at: 0)
        #expect(early.isEnded && !late.isEnded)
        #expect(!streams.disconnect(7, early, at: 1))
        streams.send(["n": 1], to: record, number: 1, at: 1)
        #expect(late.texts == [#"{"n":1}"#] && early.texts.isEmpty)
        #expect(!streams.disconnect(7, late, at: 2))
    }

    @Test("an app stream ends with the token that created it, and a connection to it with its own token")
    func endedToken() throws {
        let streams = AppNetEventHub(random: .system).appStreams
        let record = AppStreamRecord(id: 7, token: 1, client: "c", objectTypes: [])
        func connect(_ number: Int, token: Int64) throws -> RecordingSink {
            let sink = RecordingSink(number: number)
            let display = GeneralParameters()
            try streams.connect(
                record,
                sink,
                token: token,
                purges: false,
                deletesItself: false,
                display: display,
                at: 0
            )
            return sink
        }
        let first = try connect(1, token: 2)
        streams.endAll(of: 3)
        #expect(!first.isEnded)
        streams.endAll(of: 2)
        #expect(first.isEnded)
        #expect(!streams.disconnect(7, first, at: 1))
        streams.send(["n": 1], to: record, number: 1, at: 1)
        let second = try connect(2, token: 4)
        #expect(second.texts == [#"{"n":1}"#])
        streams.send(["n": 2], to: record, number: 2, at: 2)
        streams.endAll(of: 1)
        #expect(second.isEnded && streams.connected == 0)
        #expect(try connect(3, token: 4).texts.isEmpty, "nothing remains of a stream that has ended")
    }

    @Test(
        "a user, an app and an address have a limited number of user streams",
        arguments: [
            UserStream.Limits(streamsOfUser: 2), UserStream.Limits(streamsOfApp: 2),
            UserStream.Limits(streamsOfAddress: 2),
        ]
    )
    func ceilings(limits: UserStream.Limits) throws {
        let streams = UserStreams(limits: limits, faults: StreamFaults(), random: .system)
        func open(_ number: Int, user: Int64 = 1, client: String = "c", address: String = "a") throws {
            let request = UserStreams.ConnectionRequest(
                token: Int64(number),
                viewer: AppNetViewer(user: user, client: client),
                user: user,
                address: address,
                requestedID: nil,
                deletesItself: false,
                display: GeneralParameters(),
                now: 0
            )
            try streams.checkRoom(for: request)
            _ = try streams.connect(request, RecordingSink(number: number)) { _ in nil }
        }
        try open(1)
        try open(2)
        #expect(throws: AppNetFailure.tooManyStreams) { try open(3) }
        try open(4, user: 2, client: "d", address: "b")
        #expect(streams.counts.streams == 3)
    }

    @Test("an address has its share of the user streams, and all of them behind a reverse proxy", arguments: [0.75, 1])
    func share(part: Double) {
        let limits = AppNetEventHub(random: .system, sharePerAddress: part).userStreams.limits
        #expect(limits.streamsOfAddress == Int(Double(limits.allStreams) * part))
    }

    @Test("a stream whose message cannot be made does not keep the event from the others")
    func broken() async throws {
        try await withVisitors { alice, _ in
            let state = alice.running.server.appNet.state
            let sinks = [RecordingSink(number: 1), RecordingSink(number: 2)]
            _ = try await state.store.write { database in
                let table = AppStreamTable(database: database)
                var record = AppStreamRecord(id: 0, token: 1, client: "helium", objectTypes: ["post"])
                for (sink, filter) in zip(sinks, [1, nil] as [Int64?]) {
                    record.filter = filter
                    try state.events.appStreams.connect(
                        try table.insert(record),
                        sink,
                        token: 1,
                        purges: false,
                        deletesItself: false,
                        display: GeneralParameters(),
                        at: 0
                    )
                }
                // The filter of the first stream cannot be read.
                try database.execute(sql: "DROP TABLE appnet_filter")
            } publish: { _, _ in
            }
            #expect(try await alice.post("posts", ["text": "hello"]).status == 200)
            #expect(sinks[0].texts.isEmpty)
            #expect(sinks[1].texts.count == 1 && sinks[1].texts.allSatisfy { $0.contains("hello") })
        }
    }

    @Test("a stream that is opened while its token is revoked ends")
    func revokedMeanwhile() throws {
        let hub = AppNetEventHub(random: .system)
        let sink = RecordingSink(number: 1)
        hub.endedTokens.insert([1])
        _ = try hub.userStreams.connect(Self.request(deletesItself: false), sink) { _ in nil }
        #expect(throws: AppNetFailure.revokedToken) { try hub.checkIsCurrent(1) }
        #expect(sink.isEnded && hub.userStreams.isEmpty)
        hub.endedTokens.remove(1)
        try hub.checkIsCurrent(1)
    }

    @Test("an app stream that is deleted while it is opened is not opened, and nothing of it remains")
    func deletedMeanwhile() async throws {
        try await withVisitors { alice, _ in
            let state = alice.running.server.appNet.state
            _ = try await alice.asApp.post("streams", ["object_types": ["post"]])
            let record = try #require(try await state.store.read { try AppStreamRecord.fetchAll($0) }.first)
            #expect(try await alice.asApp.delete("streams/\(record.id)").status == 200)
            let sink = RecordingSink()
            #expect(throws: AppNetFailure.notFound) {
                try state.open(record, sink, FormFields(), of: record.token, display: GeneralParameters())
            }
            #expect(state.events.appStreams.connected == 0)
        }
    }

    @Test("the message of a test is sent to an app stream after the commit")
    func testMessage() async throws {
        try await withVisitors { alice, _ in
            let state = alice.running.server.appNet.state
            var app = alice.asApp
            app.base = "/v1"
            _ = try await app.post("streams", ["object_types": ["post"], "key": "mine"])
            let record = try #require(try await state.store.read { try AppStreamRecord.fetchAll($0) }.first)
            let sink = RecordingSink()
            try state.open(record, sink, FormFields(), of: record.token, display: GeneralParameters())
            let sentAtCommit = TestCounts()
            try await state.store.access.database.writeWithoutTransaction { database in
                database.trace { event in
                    guard case .statement(let statement) = event, statement.sql.hasPrefix("COMMIT") else { return }
                    sentAtCommit.append(sink.texts.count)
                }
            }
            #expect(try await app.post("streams/mine/test", [:]).status == 200)
            try await state.store.access.database.writeWithoutTransaction { $0.trace(options: []) }
            #expect(!sentAtCommit.all.isEmpty && sentAtCommit.all.allSatisfy { $0 == 0 })
            #expect(sink.texts.count == 1 && sink.texts.first?.contains("\"test\"") == true, "\(sink.texts)")
        }
    }

    @Test("the message for the app streams of an app with equal options is made once, however many they are")
    func oneMessage() async throws {
        try await withVisitors { alice, bob in
            let database = alice.running.appNet.state.store.access.database
            let trace = StatementTrace()
            var rendered: [Int] = []
            for _ in 0..<AppStreamTable.maximumOfToken {
                #expect(try await alice.asApp.post("streams", ["object_types": ["post"]]).status == 200)
                try await trace.start(database)
                try await bob.say("hello")
                rendered.append(try await trace.stop(database).count { $0.contains("COUNT(*) FROM appnet_follow") })
            }
            #expect(rendered.first != 0 && Set(rendered).count == 1, "\(rendered)")
            for id in try await alice.asApp.get("streams").ids {
                let stream = try await ChunkedClient(alice.asApp, "/stream/app/\(id)")
                #expect(try await stream.frame()["data"]?["text"] == "hello")
            }
        }
    }

    private static func request(deletesItself: Bool) -> UserStreams.ConnectionRequest {
        UserStreams.ConnectionRequest(
            token: 1,
            viewer: AppNetViewer(user: 1, client: "c"),
            user: 1,
            address: "",
            requestedID: "mine",
            deletesItself: deletesItself,
            display: GeneralParameters(),
            now: 0
        )
    }
}

/// The numbers that a callback found.
private final class TestCounts: Sendable {
    private let found = Mutex<[Int]>([])

    var all: [Int] { found.withLock { $0 } }
    func append(_ count: Int) { found.withLock { $0.append(count) } }
}
