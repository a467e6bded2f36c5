internal import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging
internal import Synchronization

extension AppNetCall {
    private var appStreams: AppStreamTable { AppStreamTable(database: database) }

    /// The row of the caller's token.
    ///
    /// - Throws: ``AppNetFailure`` with 401 without one; routes that need it are not reached then.
    func tokenRow() throws(AppNetFailure) -> Int64 {
        guard let token = caller.token else { throw .noToken }
        return token.id
    }

    /// The caller's stream that the path names.
    func appStream() throws -> AppStreamRecord {
        if request.isPnut {
            let key = segment("id")
            guard let stream = try ownStreams().first(where: { $0.pnutKey == key }) else {
                throw AppNetFailure.notFound
            }
            return stream
        }
        guard let stream = try appStreams.stream(id("id")), stream.token == (try tokenRow()) else {
            throw AppNetFailure.notFound
        }
        return stream
    }

    /// The caller's streams; with `key` the one that has it.
    func myAppStreams() throws -> [AppStreamRecord] {
        let all = try ownStreams()
        guard let key = parameters["key"] else { return all }
        return all.filter { (request.isPnut ? $0.pnutKey : $0.key) == key }
    }

    /// The streams of the caller's token, and on pnut those of his app (§6.2).
    private func ownStreams() throws -> [AppStreamRecord] {
        guard let token = caller.token else { throw AppNetFailure.noToken }
        return request.isPnut ? try appStreams.streams(ofClient: token.client) : try appStreams.streams(of: token.id)
    }

    /// `POST streams`
    func createAppStream() throws -> AppNetAnswer {
        guard let token = caller.token else { throw AppNetFailure.noToken }
        let mine = try ownStreams()
        guard mine.count < AppStreamTable.maximumOfToken else {
            let owner = request.isPnut ? "An app" : "A token"
            throw AppNetFailure.badRequest("\(owner) has at most \(AppStreamTable.maximumOfToken) streams.")
        }
        let stream = AppStreamRecord(id: 0, token: token.id, client: token.client, objectTypes: [])
        return .data(try renderer.appStream(appStreams.insert(described(stream, beside: mine))))
    }

    /// `PUT streams/{id}`
    func updateAppStream() throws -> AppNetAnswer {
        let old = try appStream()
        let others = try ownStreams().filter { $0.id != old.id }
        let stream = try described(old, beside: others)
        try appStreams.update(stream)
        return .data(try renderer.appStream(stream))
    }

    /// A stream as the body says it is.
    private func described(_ old: AppStreamRecord, beside others: [AppStreamRecord]) throws -> AppStreamRecord {
        let body = try body()
        var stream = old
        let kinds = AppNetEvent.Kind.allCases.filter { request.isPnut || !PnutNames.ownEvents.contains($0) }
        let known = Set(kinds.map(\.rawValue))
        guard let types = body["object_types"]?.arrayValue?.map(\.stringValue), !types.isEmpty,
            types.allSatisfy({ $0.map(known.contains) ?? false })
        else {
            let names = known.map { request.isPnut ? PnutNames.pnutEvent($0) : $0 }.sorted().joined(separator: ", ")
            throw AppNetFailure.badRequest("object_types must be a list of some of \(names).")
        }
        var seen: Set<String> = []
        stream.objectTypes = types.compactMap { $0 }.filter { seen.insert($0).inserted }
        guard body["type"]?.stringValue ?? "long_poll" == "long_poll" else {
            throw AppNetFailure.badRequest("type must be long_poll.")
        }
        if request.isPnut {
            // Nothing else of a stream can be changed there.
            if old.id == 0 { stream.key = try pnutKey(body, beside: others) }
            return stream
        }
        stream.filter = nil
        if let text = body["filter_id"]?.lenientText {
            guard let filter = try Int64(text).flatMap(FilterTable(database: database).filter) else {
                throw AppNetFailure.badRequest("There is no filter with this filter_id.")
            }
            stream.filter = filter.id
        }
        stream.key = nil
        if let key = body["key"]?.stringValue {
            guard 1...128 ~= key.utf8.count else {
                throw AppNetFailure.badRequest("key must have 1 to 128 bytes.")
            }
            guard !others.contains(where: { $0.key == key }) else {
                throw AppNetFailure.badRequest("Another stream has this key.")
            }
            stream.key = key
        }
        return stream
    }

    private func pnutKey(_ body: JSONValue, beside others: [AppStreamRecord]) throws(AppNetFailure) -> String? {
        guard let key = body["key"]?.stringValue else { return nil }
        guard 1...32 ~= key.utf8.count, key.utf8.allSatisfy(Username.isNameByte) else {
            throw .badRequest("key must have 1 to 32 letters, digits and underscores.")
        }
        // A number is the key of the stream that has none.
        guard Int64(key) == nil else { throw .badRequest("key must not be a number.") }
        guard !others.contains(where: { $0.pnutKey == key }) else { throw .badRequest("Another stream has this key.") }
        return key
    }

    /// `DELETE streams`
    func deleteAppStreams() throws -> AppNetAnswer { .data(.array(try ownStreams().map(delete))) }

    /// Deletes a stream, ends its consumer, and gives what it was.
    func delete(_ stream: AppStreamRecord) throws -> JSONValue {
        var document = try renderer.appStream(stream)
        if request.isPnut { document["is_deleted"] = .bool(true) }
        try appStreams.delete(stream.id)
        state.events.appStreams.end(stream.id)
        return document
    }

    /// `POST streams/{id}/test`: sends a message to whoever reads the stream (AppNet.md §6.2).
    func testAppStream() throws -> AppNetAnswer {
        let stream = try appStream()
        let frame: JSONValue = [
            "meta": ["type": "test", "id": .id(stream.id), "timestamp": .count(state.microseconds / 1000)],
            "data": [:],
        ]
        state.events.appStreams.send(Array(frame.text().utf8), to: stream.id, at: state.microseconds)
        return .data(try renderer.appStream(stream))
    }

    /// `GET` of a stream's endpoint: an answer without an end.
    func consumeAppStream() throws -> AppNetAnswer {
        let stream = try appStream()
        let reply = ReplyStream(maximumWaiting: LiveLimits.queueBytes, keepAlive: state.keepAlive)
        let sink = ChunkedSink(reply)
        state.open(stream, sink, parameters)
        reply.onEnd { [state] in state.close(stream, sink) }
        var answer = ServerReply(status: .ok)
        answer.fields[.contentType] = "application/json"
        answer.stream = reply
        return .reply(answer)
    }
}

/// Ceilings that all streams share.
enum LiveLimits {
    /// Bytes that may wait for a slow client before its connection is closed.
    static let queueBytes = 4 * 1024 * 1024
    /// Open WebSockets.
    static let connections = 1_024
    /// Open connections whose handshake has not come, or is not decided on.
    static let unauthenticatedConnections = 256
    /// The longest message that a WebSocket's client may send; it has nothing to say.
    static let messageBytes = 64 * 1024
}

extension AppNetState {
    /// What is sent over chunked HTTP where nothing else is (§2.13).
    var keepAlive: ReplyStream.KeepAlive {
        ReplyStream.KeepAlive(interval: configuration.keepAlive, bytes: ChunkedSink.separator)
    }

    /// Lets `sink` consume an app stream, as the connection's query says.
    func open(_ stream: AppStreamRecord, _ sink: any LiveSink, _ query: AppNetParameters, isPnut: Bool = false) {
        events.appStreams.connect(
            stream.id,
            sink,
            purges: query.flag("purge") ?? false,
            deletesItself: query.flag("auto_delete") ?? false,
            display: GeneralParameters(query, isPnut: isPnut),
            at: microseconds
        )
    }

    /// Notes that a consumer is gone, and deletes a stream that goes with it.
    func close(_ stream: AppStreamRecord, _ sink: any LiveSink) {
        guard events.appStreams.disconnect(stream.id, sink, at: microseconds) else { return }
        Task { [self] in
            do {
                try await store.write { database in
                    try AppStreamTable(database: database).delete(stream.id)
                } publish: { [events] _, _ in
                    events.appStreams.end(stream.id)
                }
            } catch {
                logger.error("An app stream could not be deleted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Microseconds since 1970 by the server's clock.
    var microseconds: Int64 {
        configuration.clock.microseconds() + values.withLock { $0.clockOffset } * 1_000_000
    }
}
