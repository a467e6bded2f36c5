internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The calls for app streams (Docs/Protocols/AppNet.md §2.13).
struct AppStreamHandlers: RequestScoped {
    let context: AppNetContext

    private var rules: Dialect.AppStreamRules { context.request.dialect.appStreams }

    /// Returns the caller's stream in the path.
    private func stream() throws -> AppStreamRecord {
        if rules.areNamedByKeys {
            let key = context.segment("id")
            let stream = try require(ownStreams().first(where: { $0.pnutKey == key }), or: .notFound)
            return stream
        }
        guard let stream = try tables.appStreams.stream(context.id("id")), stream.token == (try context.token().id)
        else {
            throw AppNetFailure.notFound
        }
        return stream
    }

    /// Handles `GET streams`. Returns the caller's streams, or the one with `key`.
    func list() throws -> AppNetResponse {
        var streams = try ownStreams()
        if let key = context.parameters["key"] {
            streams = streams.filter { (rules.areNamedByKeys ? $0.pnutKey : $0.key) == key }
        }
        return .data(.array(try streams.compactMap(context.renderer.appStream)))
    }

    /// Handles `GET streams/{id}`.
    func read() throws -> AppNetResponse { try .object(context.renderer.appStream(stream())) }

    /// Returns the streams of the caller's token, or of the token's app.
    private func ownStreams() throws -> [AppStreamRecord] {
        let token = try context.token()
        return rules.belongToApps
            ? try tables.appStreams.streams(ofClient: token.client) : try tables.appStreams.streams(of: token.id)
    }

    /// Handles `POST streams`.
    func create() throws -> AppNetResponse {
        let token = try context.token()
        let mine = try ownStreams()
        guard mine.count < AppStreamTable.maximumOfToken else {
            let owner = rules.belongToApps ? "An app" : "A token"
            throw AppNetFailure.badRequest("\(owner) has at most \(AppStreamTable.maximumOfToken) streams.")
        }
        guard try tables.appStreams.streams(ofClient: token.client).count < AppStreamTable.maximumOfApp else {
            throw AppNetFailure.badRequest("An app has at most \(AppStreamTable.maximumOfApp) streams.")
        }
        let stream = AppStreamRecord(id: 0, token: token.id, client: token.client, objectTypes: [])
        return try .object(context.renderer.appStream(tables.appStreams.insert(described(stream, beside: mine))))
    }

    /// Handles `PUT streams/{id}`.
    func update() throws -> AppNetResponse {
        let old = try stream()
        let others = try ownStreams().filter { $0.id != old.id }
        let stream = try described(old, beside: others)
        try tables.appStreams.update(stream)
        return try .object(context.renderer.appStream(stream))
    }

    /// Returns a stream with the members of the body.
    private func described(_ old: AppStreamRecord, beside others: [AppStreamRecord]) throws -> AppStreamRecord {
        let body = try context.body()
        var stream = old
        let known = Set(rules.events.map(\.rawValue))
        guard let types = body["object_types"]?.arrayValue?.map(\.stringValue), !types.isEmpty,
            types.count <= known.count, types.allSatisfy({ $0.map(known.contains) ?? false })
        else {
            let names = rules.events.map(context.request.dialect.name(of:)).sorted()
            throw AppNetFailure.badRequest("object_types must be a list of some of \(names.joined(separator: ", ")).")
        }
        var seen: Set<String> = []
        stream.objectTypes = types.compactMap { $0 }.filter { seen.insert($0).inserted }
        try require(body["type"]?.stringValue ?? "long_poll" == "long_poll", "type must be long_poll.")
        if rules.areNamedByKeys {
            // The other members of such a stream cannot be changed.
            if old.id == 0 { stream.key = try pnutKey(body, beside: others) }
            return stream
        }
        var filterID: Int64?
        // Without its filter, a stream would send everything. A value that is not an id is therefore an error.
        if let sent = body["filter_id"], sent != .null {
            guard let filter = try sent.lenientText.flatMap({ Int64($0) }).flatMap(tables.filters.filter),
                try reader.sees(filter)
            else { throw AppNetFailure.notFound }
            try requireRoom(for: filter.id, of: old)
            filterID = filter.id
        }
        stream.filter = filterID
        stream.key = nil
        if let key = body["key"]?.stringValue {
            try require(1...128 ~= key.utf8.count, "key must have 1 to 128 bytes.")
            try require(!others.contains(where: { $0.key == key }), "Another stream has this key.")
            stream.key = key
        }
        return stream
    }

    /// Checks that the filters of the app's streams are not too long with a filter of one of them.
    private func requireRoom(for filter: Int64, of stream: AppStreamRecord) throws {
        let others = try tables.filters.bytes(ofClient: stream.client, without: stream.id, filter: filter)
        let bytes = try others + tables.filters.size(of: filter)
        // A stream keeps its filter if an older server let it become too long.
        try require(bytes <= AppStreamTable.filterBytesOfApp || filter == stream.filter, or: .filtersTooLong)
    }

    private func pnutKey(_ body: JSONValue, beside others: [AppStreamRecord]) throws(AppNetFailure) -> String? {
        guard let key = body["key"]?.stringValue else { return nil }
        guard 1...32 ~= key.utf8.count, key.utf8.allSatisfy(Username.isNameByte) else {
            throw .badRequest("key must have 1 to 32 letters, digits and underscores.")
        }
        // A number is the key of a stream without a key.
        try require(Int64(key) == nil, "key must not be a number.")
        try require(!others.contains(where: { $0.pnutKey == key }), "Another stream has this key.")
        return key
    }

    /// Handles `DELETE streams`.
    func deleteAll() throws -> AppNetResponse { .data(.array(try ownStreams().compactMap(delete))) }

    /// Handles `DELETE streams/{id}`.
    func delete() throws -> AppNetResponse { try .object(delete(stream())) }

    /// Deletes a stream, closes its connection after the commit, and returns its JSON object.
    private func delete(_ stream: AppStreamRecord) throws -> JSONValue? {
        try tables.appStreams.delete(stream.id)
        context.effects.endedStreams.append(stream.id)
        return try context.renderer.appStream(stream)
    }

    /// Handles `POST streams/{id}/test`. Sends a message to the stream's consumer after the commit
    /// (Docs/Protocols/AppNet.md §6.2).
    func test() throws -> AppNetResponse {
        let stream = try stream()
        let frame: JSONValue = [
            "meta": ["type": "test", "id": .id(stream.id), "timestamp": .count(context.state.microseconds / 1000)],
            "data": [:],
        ]
        context.effects.messages.append((frame, stream))
        return try .object(context.renderer.appStream(stream))
    }

    /// Handles `GET` of a stream's endpoint. The response has no end.
    func consume() throws -> AppNetResponse {
        let stream = try stream()
        let reply = ReplyStream(maximumWaiting: LiveLimits.queueBytes, keepAlive: context.state.keepAlive)
        let sink = ChunkedSink(reply, number: context.state.events.nextNumber())
        let token = try context.token().id
        try context.state.open(stream, sink, context.parameters, of: token, display: context.options)
        reply.onEnd { [state = context.state] in state.close(stream, sink) }
        return .stream(reply)
    }
}
