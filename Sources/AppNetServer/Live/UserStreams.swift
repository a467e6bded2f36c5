internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumJSON
internal import HeliumServerKit
internal import Synchronization

/// All user streams (Docs/Protocols/AppNet.md §2.14).
final class UserStreams: Sendable {
    private struct State {
        var streams: [String: UserStream] = [:]
        /// Ids of deleted streams, oldest first. A client that requests one of them must subscribe again.
        var used: [String] = []
    }

    let limits: UserStream.Limits
    private let faults: StreamFaults
    private let random: RandomSource
    private let writes: WriteNumbers
    private let state = Guarded(State())

    /// - Parameter writes: The numbers of writes.
    init(
        limits: UserStream.Limits = UserStream.Limits(),
        faults: StreamFaults,
        random: RandomSource,
        writes: WriteNumbers = WriteNumbers()
    ) {
        self.limits = limits
        self.writes = writes
        self.random = random
        self.faults = faults
    }

    /// Whether there are no streams.
    var isEmpty: Bool { state.withLock { $0.streams.isEmpty } }

    /// The numbers of streams, of streams with a connection, and of subscriptions.
    var counts: (streams: Int, connected: Int, subscriptions: Int) {
        state.withLock { state in
            let streams = state.streams.values
            return (
                streams.count, streams.filter { $0.output.sink != nil }.count,
                streams.reduce(0) { $0 + $1.subscriptions.count }
            )
        }
    }

    /// Returns the streams with subscriptions that are older than a write, to which its events are published. Those of
    /// one token with equal display options are together, because objects are the same for them.
    ///
    /// The streams do not have their queues, because each message that is sent would otherwise copy the queue that is
    /// shared with the result.
    func audiences(ofWrite number: Int, at now: Int64) -> [[UserStream]] {
        struct Audience: Hashable {
            let token: Int64
            let display: GeneralParameters
        }
        expire(at: now)
        let empty = StreamOutput(limits: limits.replay, at: now)
        let streams = state.withLock { state in
            state.streams.values.compactMap { stream -> UserStream? in
                var stream = stream
                stream.output = empty
                stream.subscriptions.removeAll { $0.write >= number }
                return stream.subscriptions.isEmpty ? nil : stream
            }
        }
        if streams.count < 2 { return streams.map { [$0] } }
        let audiences = Dictionary(grouping: streams) { Audience(token: $0.token, display: $0.display) }
        return Array(audiences.values)
    }

    /// Opens a stream, or resumes the one that the request names. Of two consumers of a stream, the one with the later request
    /// remains; the other one is ended.
    ///
    /// - Parameter greeting: Returns the first frame for the stream's id.
    /// - Returns: The stream's id. If it is not the requested id, no stream was resumed.
    /// - Throws: ``AppNetFailure`` with 429 if the token, user, app or address has the maximum number of streams.
    func connect(_ request: ConnectionRequest, _ sink: any FrameSink, greeting: (String) -> JSONValue?) throws -> String
    {
        let now = request.now
        expire(at: now)
        let fresh = newID()
        let (result, old) = state.withLock { state -> (Result<String, AppNetFailure>, (any FrameSink)?) in
            guard Self.hasRoom(for: request, in: state, limits) else { return (.failure(.tooManyStreams), nil) }
            let known = request.requestedID.flatMap { state.streams[$0] }
            let resumed = known?.token == request.token ? known : nil
            if let resumed, !resumed.output.accepts(sink) { return (.success(resumed.id), sink) }
            var stream =
                resumed
                ?? UserStream(
                    id: Self.isFree(request.requestedID, in: state) ? request.requestedID ?? fresh : fresh,
                    token: request.token,
                    viewer: request.viewer,
                    user: request.user,
                    address: request.address,
                    display: request.display,
                    deletesItself: request.deletesItself,
                    output: StreamOutput(limits: limits.replay, at: now)
                )
            (stream.display, stream.deletesItself) = (request.display, request.deletesItself)
            let greeting = greeting(stream.id)
            let old = stream.output.attach(sink, in: request.display.dialect, greeting: greeting, at: now)
            state.streams[stream.id] = stream
            return (.success(stream.id), old)
        }
        old?.end()
        return try result.get()
    }

    /// - Throws: ``AppNetFailure`` with 429 if ``connect(_:_:greeting:)`` would throw it now.
    func checkRoom(for request: ConnectionRequest) throws(AppNetFailure) {
        expire(at: request.now)
        let hasRoom = state.withLock { Self.hasRoom(for: request, in: $0, limits) }
        if !hasRoom { throw .tooManyStreams }
    }

    private static func hasRoom(for request: ConnectionRequest, in state: State, _ limits: UserStream.Limits) -> Bool {
        if let id = request.requestedID, state.streams[id]?.token == request.token { return true }
        let streams = state.streams.values
        return streams.count < limits.allStreams
            && streams.count { $0.token == request.token } < limits.streams
            && streams.count { $0.user == request.user } < limits.streamsOfUser
            && streams.count { $0.viewer.client == request.viewer.client } < limits.streamsOfApp
            && streams.count { $0.address == request.address } < limits.streamsOfAddress
    }

    /// A request to open a stream.
    struct ConnectionRequest: Sendable {
        let token: Int64
        let viewer: AppNetViewer
        let user: Int64
        /// The client's numeric address.
        let address: String
        let requestedID: String?
        let deletesItself: Bool
        let display: GeneralParameters
        let now: Int64
    }

    /// Disconnects a connection.
    func disconnect(_ id: String, _ sink: any FrameSink, at now: Int64) {
        state.withLock { state in
            guard state.streams[id]?.output.detach(sink, at: now) == true else { return }
            if state.streams[id]?.deletesItself == true { Self.remove(id, &state) }
        }
    }

    /// Adds a subscription, or replaces the one with the same id.
    ///
    /// - Returns: The id of the subscription.
    /// - Throws: ``AppNetFailure`` with 400 if the token does not have the stream, or if it has too many subscriptions.
    func subscribe(
        _ id: String,
        token: Int64,
        subscription requested: String?,
        endpoint: UserStreamEndpoint,
        filter: GeneralParameters,
        at now: Int64
    ) throws -> String {
        expire(at: now)
        if let requested, requested.utf8.count > 128 { throw AppNetFailure.badRequest("subscription_id is too long.") }
        let fresh = newID(bytes: 16)
        let result = state.withLock { state -> Result<String, AppNetFailure> in
            guard var stream = state.streams[id], stream.token == token else {
                return .failure(.badRequest("There is no stream with this connection_id."))
            }
            let same = stream.subscriptions.first {
                $0.endpoint == endpoint && $0.filter == filter && $0.id == requested ?? $0.id
            }
            // Idempotent: an equal subscription without a requested id is the existing subscription.
            if let same { return .success(same.id) }
            let name = requested ?? fresh
            let subscription = UserStream.Subscription(
                id: name,
                endpoint: endpoint,
                filter: filter,
                write: writes.last
            )
            if let index = stream.subscriptions.firstIndex(where: { $0.id == name }) {
                stream.subscriptions[index] = subscription
            } else {
                let maximum = stream.display.dialect.maximumSubscriptions
                guard stream.subscriptions.count < maximum else {
                    return .failure(.badRequest("A stream has at most \(maximum) subscriptions."))
                }
                stream.subscriptions.append(subscription)
            }
            state.streams[id] = stream
            return .success(name)
        }
        return try result.get()
    }

    /// Sends a message or keeps it for the next connection. Calls must be in the order of the messages.
    func send(_ message: JSONValue, to id: String, at now: Int64) {
        let delivery = state.withLock { state -> (frame: [UInt8], sink: (any FrameSink)?)? in
            guard let dialect = state.streams[id]?.display.dialect else { return nil }
            return state.streams[id]?.output.append(message, in: dialect, at: now)
        }
        if let delivery, let sink = delivery.sink { faults.send(delivery.frame, to: sink) }
    }

    /// Deletes a stream and closes its connection. Returns `false` if the token does not have a stream with this id.
    func delete(_ id: String, token: Int64) -> Bool {
        let (isKnown, sink) = state.withLock { state -> (Bool, (any FrameSink)?) in
            guard let stream = state.streams[id], stream.token == token else { return (false, nil) }
            Self.remove(id, &state)
            return (true, stream.output.sink)
        }
        sink?.end()
        return isKnown
    }

    /// Deletes a subscription. Returns `false` if it does not exist.
    func delete(subscription: String, of id: String, token: Int64) -> Bool {
        state.withLock { state in
            guard let stream = state.streams[id], stream.token == token,
                let index = stream.subscriptions.firstIndex(where: { $0.id == subscription })
            else { return false }
            state.streams[id]?.subscriptions.remove(at: index)
            return true
        }
    }

    /// Deletes the streams for which `isEnded` returns `true` and closes their connections, for example after a token
    /// was revoked.
    func deleteAll(where isEnded: (UserStream) -> Bool) {
        let sinks = state.withLock { state in
            let ended = state.streams.values.filter(isEnded)
            for stream in ended { Self.remove(stream.id, &state) }
            return ended.compactMap(\.output.sink)
        }
        for sink in sinks { sink.end() }
    }

    /// Closes all connections as a network failure does. The streams are kept.
    func dropConnections() {
        for sink in state.withLock({ $0.streams.values.compactMap(\.output.sink) }) { sink.cut(in: []) }
    }

    private func expire(at now: Int64) {
        let idle = limits.idle
        deleteAll { $0.output.idleSince.map { now - $0 > idle } ?? false }
    }

    private static func remove(_ id: String, _ state: inout State) {
        state.streams[id] = nil
        state.used.append(id)
        if state.used.count > 4096 { state.used.removeFirst(2048) }
    }

    /// Returns whether a client can choose `id`. An id with the server's prefix, or one that was used, belongs to a
    /// deleted stream. The client must get another id, which shows that no stream was resumed.
    private static func isFree(_ id: String?, in state: State) -> Bool {
        guard let id, state.streams[id] == nil, !state.used.contains(id) else { return false }
        return id.utf8.count <= 128 && !id.hasPrefix(prefix)
            && id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
    }

    private static let prefix = "us-"

    private func newID(bytes: Int = 24) -> String { Self.prefix + random.hex(byteCount: bytes) }
}
