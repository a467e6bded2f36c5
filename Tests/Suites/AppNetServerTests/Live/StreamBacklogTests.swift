import GRDB
import HeliumCore
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Events on their way to many streams", .timeLimit(.minutes(5)))
struct StreamBacklogTests {
    private static let stepsBetweenWrites = AppNetEventHub.stepsBetweenWrites

    /// Opens subscribed user streams of different tokens, which only read.
    private static func open(
        _ count: Int,
        _ state: AppNetState,
        endpoint: UserStreamEndpoint
    ) throws -> [RecordingSink] {
        let streams = state.events.userStreams
        return try (0..<count).map { number in
            let token = 1_000 + Int64(number)
            let sink = RecordingSink(number: 1_000 + number)
            let request = UserStreams.ConnectionRequest(
                token: token,
                // Each stream has another app and address, so that none of the shares is used up.
                viewer: AppNetViewer(user: 1, client: "c\(token)", scopes: [.messages]),
                user: 1_000 + token,
                address: "10.0.\(number / 250).\(number % 250)",
                requestedID: nil,
                deletesItself: false,
                display: GeneralParameters(),
                now: state.microseconds
            )
            let id = try streams.connect(request, sink) { _ in nil }
            _ = try streams.subscribe(
                id,
                token: token,
                subscription: nil,
                endpoint: endpoint,
                filter: GeneralParameters(),
                at: state.microseconds
            )
            return sink
        }
    }

    /// The texts of the messages in the frames of a consumer.
    private static func texts(_ sink: RecordingSink) -> [String] {
        sink.texts.compactMap { TestJSON.parse($0)?["data"]?.arrayValue?.first?["text"]?.stringValue }
    }

    @Test("a write makes events for a limited number of audiences, and the others get them later, in the same order")
    func order() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let channel = try #require(
                Int64(try await alice.createChannel())
            )
            let sinks = try Self.open(3 * Self.stepsBetweenWrites, state, endpoint: .messages(channel: channel))
            let written = (1...5).map(String.init)
            for text in written { try await alice.createMessage(text, in: String(channel)) }
            try await eventually { sinks.allSatisfy { $0.texts.count == written.count } }
            for sink in sinks { #expect(Self.texts(sink) == written) }
            // Later events are published at once again.
            try await alice.createMessage("6", in: String(channel))
            try await eventually { sinks.allSatisfy { $0.texts.count == written.count + 1 } }
        }
    }

    @Test("the events of a write are published in steps")
    func steps() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let channel = try #require(
                Int64(try await alice.createChannel())
            )
            let sinks = try Self.open(10, state, endpoint: .messages(channel: channel))
            let id = try #require(Int64(try await alice.createMessage("hello", in: String(channel))))
            #expect(sinks.allSatisfy { $0.texts.count == 1 })
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .message, object: id, channel: channel, actor: 1))
            let counts = try await state.store.read { [effects] database -> [Int] in
                var publication = StreamPublication(effects, number: 1_000)
                var failure: (any Error)?
                var counts: [Int] = []
                while !publication.proceed(by: 4, canExceed: true, state, database, failure: &failure) {
                    counts.append(sinks.reduce(0) { $0 + $1.texts.count } - sinks.count)
                }
                if let failure { throw failure }
                return counts
            }
            #expect(counts == [4, 8])
            #expect(sinks.allSatisfy { $0.texts.count == 2 })
        }
    }

    @Test("a subscription does not get the events of writes before it, which are still on their way")
    func laterSubscription() throws {
        let writes = WriteNumbers()
        let streams = UserStreams(faults: StreamFaults(), random: .system, writes: writes)
        _ = try streams.connect(Self.request(token: 1), RecordingSink()) { _ in nil }
        let (first, options) = (writes.next(), GeneralParameters())
        func subscribe(_ endpoint: UserStreamEndpoint) throws {
            _ = try streams.subscribe(
                "mine",
                token: 1,
                subscription: nil,
                endpoint: endpoint,
                filter: options,
                at: 0
            )
        }
        func endpoints(ofWrite number: Int) -> [UserStreamEndpoint] {
            streams.audiences(ofWrite: number, at: 0).flatMap { $0.flatMap { $0.subscriptions.map(\.endpoint) } }
        }
        try subscribe(.posts)
        #expect(endpoints(ofWrite: first).isEmpty)
        let second = writes.next()
        // An equal subscription is the existing one, and one to another list begins here.
        try subscribe(.posts)
        try subscribe(.files)
        #expect(endpoints(ofWrite: second) == [.posts])
        #expect(endpoints(ofWrite: writes.next()) == [.posts, .files])
    }

    @Test("a consumer that discards what is queued does not get the events of earlier writes")
    func purge() throws {
        let writes = WriteNumbers()
        let streams = AppStreams(faults: StreamFaults(), writes: writes)
        let record = AppStreamRecord(id: 7, token: 1, client: "c", objectTypes: [])
        let sink = RecordingSink()
        let first = writes.next()
        try streams.connect(record, sink, purges: true)
        streams.send(["n": 1], to: record, number: first, at: 0)
        streams.send(["n": 2], to: record, number: writes.next(), at: 0)
        #expect(sink.texts == [#"{"n":2}"#])
    }

    @Test("consumers that are ended because of a gap do not get the events of earlier writes after it")
    func endedConsumers() throws {
        let writes = WriteNumbers()
        let streams = AppStreams(faults: StreamFaults(), writes: writes)
        let record = AppStreamRecord(id: 7, token: 1, client: "c", objectTypes: [])
        let (old, new) = (RecordingSink(), RecordingSink(number: 2))
        let first = writes.next()
        try streams.connect(record, old)
        _ = writes.next()
        streams.endConsumers()
        #expect(old.isEnded)
        try streams.connect(record, new)
        // The task that publishes the first write has not noticed the end yet.
        streams.send(["n": 1], to: record, number: first, at: 0)
        streams.send(["n": 3], to: record, number: writes.next(), at: 0)
        #expect(new.texts == [#"{"n":3}"#])
    }

    @Test("an app stream does not get the events of writes before it was created, which are still on their way")
    func laterAppStream() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let post = try #require(
                try await alice.post("posts", #"{"text":"one"}"#)["id"]?.stringValue.flatMap { Int64($0) }
            )
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .post, object: post, actor: 1))
            let streams = try await state.store.write { [effects] database -> [AppStreamRecord] in
                let table = AppStreamTable(database: database)
                func stream() throws -> AppStreamRecord {
                    try table.insert(AppStreamRecord(id: 0, token: 1, client: "c", objectTypes: ["post"]))
                }
                let old = try stream()
                var publication = StreamPublication(effects, number: state.events.appStreams.writes.next())
                publication.newestAppStream = try table.newest()
                let new = try stream()
                var failure: (any Error)?
                let isComplete = publication.proceed(by: 10, canExceed: true, state, database, failure: &failure)
                #expect(isComplete)
                if let failure { throw failure }
                return [old, new]
            } publish: { _, _ in
            }
            let sinks = [RecordingSink(), RecordingSink(number: 2)]
            for (stream, sink) in zip(streams, sinks) {
                try state.events.appStreams.connect(stream, sink, at: state.microseconds)
            }
            #expect(sinks.map(\.texts.count) == [1, 0])
        }
    }

    @Test("a stream gets nothing after the end of its token, and an app stream is not created again")
    func endedToken() throws {
        let hub = AppNetEventHub(random: .system)
        let post = AppNetEvent(kind: .post, object: 1, actor: 1)
        let end = AppNetEvent(kind: .token, object: 3, actor: 1, isDeleted: true)
        #expect(hub.mayGet(post, 3) && hub.mayGet(end, 3))
        hub.endedTokens.insert([3])
        #expect(!hub.mayGet(post, 3) && hub.mayGet(end, 3) && hub.mayGet(end, 4))
        let record = AppStreamRecord(id: 7, token: 3, client: "c", objectTypes: [])
        hub.appStreams.send(["n": 1], to: record, number: 1, at: 0)
        hub.endedTokens.remove(3)
        let sink = RecordingSink()
        try hub.appStreams.connect(record, sink, token: 3)
        #expect(sink.texts.isEmpty)
    }

    @Test("the end of a token is known as long as an event can wait, however many others end meanwhile")
    func manyEnds() {
        let hub = AppNetEventHub(random: .system)
        let post = AppNetEvent(kind: .post, object: 1, actor: 1)
        hub.endedTokens.insert([3])
        hub.endedTokens.insert((0..<Int64(StreamBacklog.maximumCost)).map { $0 + 10 })
        #expect(!hub.mayGet(post, 3))
        let ended = EndedIDs(maximum: 4)
        #expect(!ended.insert([1, 2, 3]) && !ended.insert([3, 4]))
        #expect(ended.insert([5]))
        #expect((1...5).filter { ended.contains($0) } == [4, 5])
    }

    @Test("all streams end if an end is forgotten while events wait, which get nothing any more")
    func forgottenEnds() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let channel = try #require(
                Int64(try await alice.createChannel())
            )
            let id = try #require(Int64(try await alice.createMessage("hello", in: String(channel))))
            let sinks = try Self.open(2 * Self.stepsBetweenWrites, state, endpoint: .messages(channel: channel))
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .message, object: id, channel: channel, actor: 1))
            var ends = AppNetEffects()
            ends.endedStreams = Array(1...Int64(EndedIDs.maximum) + 1)
            // The task cannot read between the publications, because the store has one connection.
            _ = try await state.store.write { [effects, ends] _ in
                (effects, ends)
            } publish: { effects, database in
                state.events.publish(effects.0, state: state, database: database)
                #expect(!state.events.userStreams.isEmpty)
                state.events.publish(effects.1, state: state, database: database)
            }
            #expect(sinks.allSatisfy(\.isEnded) && state.events.userStreams.isEmpty)
        }
    }

    @Test("a message of an earlier write than the end of all consumers does not create a stream")
    func discarded() throws {
        let writes = WriteNumbers()
        let streams = AppStreams(faults: StreamFaults(), writes: writes)
        let record = AppStreamRecord(id: 7, token: 1, client: "c", objectTypes: [])
        let first = writes.next()
        streams.endConsumers()
        streams.send(["n": 1], to: record, number: first, at: 0)
        streams.send(["n": 2], to: record, number: writes.next(), at: 0)
        let sink = RecordingSink()
        try streams.connect(record, sink)
        #expect(sink.texts == [#"{"n":2}"#])
    }

    @Test("an app whose streams cannot be read does not keep an event from the apps after it")
    func brokenApp() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let post = try #require(
                try await alice.post("posts", #"{"text":"one"}"#)["id"]?.stringValue.flatMap { Int64($0) }
            )
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .post, object: post, actor: 1))
            let stream = try await state.store.write { [effects] database -> AppStreamRecord in
                let table = AppStreamTable(database: database)
                func insert(_ client: String) throws -> AppStreamRecord {
                    try table.insert(AppStreamRecord(id: 0, token: 1, client: client, objectTypes: ["post"]))
                }
                _ = try insert("a")
                let other = try insert("b")
                // Reading a row of the first app fails.
                try database.execute(
                    sql: """
                        ALTER TABLE appnet_stream RENAME TO stream;
                        CREATE VIEW appnet_stream AS SELECT id, token, client,
                        CASE WHEN client = 'a' THEN abs(0 * id - 9223372036854775807 - 1) ELSE object_types END
                        AS object_types, filter, key FROM stream
                        """
                )
                var publication = StreamPublication(effects, number: state.events.appStreams.writes.next())
                var failure: (any Error)?
                let isComplete = publication.proceed(by: 10, canExceed: true, state, database, failure: &failure)
                #expect(isComplete && failure != nil)
                return other
            } publish: { _, _ in
            }
            let sink = RecordingSink()
            try state.events.appStreams.connect(stream, sink, at: state.microseconds)
            #expect(sink.texts.count == 1)
        }
    }

    @Test("a backlog that is full is discarded, and keeps a single publication of any size")
    func overflow() {
        func publication(_ number: Int, users: Int) -> StreamPublication {
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .message, object: 1, users: Array(repeating: 1, count: users)))
            return StreamPublication(effects, number: number)
        }
        let backlog = StreamBacklog(maximumCost: 10)
        #expect(backlog.append(publication(1, users: 50)) == .process)
        let first = backlog.first()
        #expect(backlog.append(publication(2, users: 0)) == .overflow)
        #expect(backlog.isEmpty)
        if let first { #expect(!backlog.update(first, isComplete: true)) }
        // The same task processes what comes next.
        #expect(backlog.append(publication(3, users: 0)) == .wait)
        #expect(backlog.append(publication(4, users: 8)) == .wait)
        for number in 3...4 {
            let next = backlog.first()
            #expect(next?.number == number)
            if let next { #expect(backlog.update(next, isComplete: true)) }
        }
        #expect(backlog.first() == nil)
        #expect(backlog.append(publication(5, users: 0)) == .process)
    }

    @Test("all streams end if there are more events than can be kept for them, so that their clients learn of the gap")
    func endsAll() async throws {
        try await withAppNet { alice async throws in
            let state = alice.running.server.appNet.state
            let channel = try #require(
                Int64(try await alice.createChannel())
            )
            let id = try #require(Int64(try await alice.createMessage("hello", in: String(channel))))
            let sinks = try Self.open(2 * Self.stepsBetweenWrites, state, endpoint: .messages(channel: channel))
            var effects = AppNetEffects()
            let users = [Int64](repeating: 1, count: StreamBacklog.maximumCost * 2 / 3)
            effects.append(AppNetEvent(kind: .message, object: id, channel: channel, actor: 1, users: users))
            // The task cannot read between the publications, because the store has one connection.
            _ = try await state.store.write { [effects] _ in
                effects
            } publish: { effects, database in
                for _ in 0..<2 { state.events.publish(effects, state: state, database: database) }
            }
            #expect(sinks.allSatisfy(\.isEnded) && state.events.userStreams.isEmpty)
        }
    }

    private static func request(token: Int64) -> UserStreams.ConnectionRequest {
        UserStreams.ConnectionRequest(
            token: token,
            viewer: AppNetViewer(user: 1, client: "c"),
            user: 1,
            address: "",
            requestedID: "mine",
            deletesItself: false,
            display: GeneralParameters(),
            now: 0
        )
    }
}

extension AppStreams {
    /// Connects a consumer that does not delete the stream.
    fileprivate func connect(
        _ record: AppStreamRecord,
        _ sink: RecordingSink,
        token: Int64 = 1,
        purges: Bool = false,
        at time: Int64 = 0
    ) throws {
        let display = GeneralParameters()
        try connect(record, sink, token: token, purges: purges, deletesItself: false, display: display, at: time)
    }
}
