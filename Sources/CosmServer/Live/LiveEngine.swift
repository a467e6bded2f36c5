internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import HeliumWebSocketFraming
internal import Logging

/// Processes the frames of live clients (Docs/Protocols/Cosm.md §14), over WebSocket and TCP.
struct LiveEngine: LiveSession {
    private let state: CosmState
    private let endpoint: CosmEndpoint

    init(state: CosmState) {
        self.state = state
        endpoint = CosmEndpoint(state: state)
    }

    func opened(on client: LiveConnection) {}

    func broken(_ reason: String, on client: LiveConnection) {
        client.finishAnswer(LiveReply(status: 400, body: .text(reason)).bytes)
    }

    func closed(_ client: LiveConnection) { state.subscriptions.removeAll(client) }

    /// Processes a frame and sends its reply.
    func received(_ bytes: [UInt8], on connection: LiveConnection) async {
        connection.beginAnswer()
        let request: LiveRequest
        do {
            request = try LiveRequest.parse(bytes, prefix: state.configuration.prefix)
        } catch {
            connection.finishAnswer(
                LiveReply(token: error.token, resource: error.resource, status: 400, body: .text(error.reason)).bytes
            )
            return
        }
        guard await hasPlace(for: request, connection) else {
            let text = "Service Unavailable: there are too many live connections"
            connection.finishAnswer(LiveReply(to: request, 503, text).bytes)
            connection.closeGracefully(CloseCode.tryAgainLater)
            return
        }
        let faults = state.faults.take(
            method: request.method.rawValue,
            path: "\(state.configuration.prefix)/\(request.path)"
        )
        if let delay = faults.delay { try? await Task.sleep(for: delay) }
        if faults.contains(.cut) {
            connection.drop()
            return
        }
        let reply: LiveReply
        switch request.method {
        case .subscribe: reply = await subscribe(request, faults, connection)
        case .unsubscribe: reply = await unsubscribe(request, faults, connection)
        case .get: reply = await respond(request, .get, faults, connection)
        case .put: reply = await respond(request, .put, faults, connection)
        case .post: reply = await respond(request, .post, faults, connection)
        case .delete: reply = await respond(request, .delete, faults, connection)
        }
        connection.finishAnswer(reply.bytes)
    }

    /// Returns whether the connection may stay open. Its first known key authenticates it, unless too many connections
    /// are authenticated.
    private func hasPlace(for request: LiveRequest, _ connection: LiveConnection) async -> Bool {
        guard let key = request.key, !connection.isAuthenticated else { return true }
        let isKnown = (try? await state.store.read { try KeyTable(database: $0).key(key) != nil }) ?? false
        return !isKnown || connection.authenticate()
    }

    private func respond(
        _ request: LiveRequest,
        _ method: HTTPRequest.Method,
        _ faults: ActiveFaults,
        _ connection: LiveConnection
    ) async -> LiveReply {
        let context = state.ownContext(state.now(faults))
        let body: CosmBody
        switch request.body {
        // Documents in other formats are sent as text.
        case .string(let text): body = .bytes(Array(text.utf8))
        case .some(let value): body = .json(value)
        case nil: body = .none
        }
        let reply = await endpoint.reply(
            to: CosmRequest(
                method: method,
                path: request.path,
                parameters: request.parameters,
                key: request.key,
                address: connection.address,
                base: context.base,
                root: context.root,
                faults: faults
            ),
            body
        )
        if let failure = reply.failure { return Self.refusal(failure, of: request) }
        var headers: JSONObject = ["CONTENT_TYPE": .string(reply.format.mediaType)]
        headers.set("LOCATION", reply.location)
        var answer = LiveReply(to: request, reply.status.code)
        answer.headers = headers
        if !reply.body.isEmpty {
            let isJSON = reply.format == .json
            answer.body = isJSON ? .document(reply.body) : .text(String(decoding: reply.body, as: UTF8.self))
        }
        return answer
    }

    private func subscribe(
        _ request: LiveRequest,
        _ faults: ActiveFaults,
        _ connection: LiveConnection
    ) async -> LiveReply {
        do {
            let (feed, datastream) = try await authorizedResource(request, faults, connection)
            let subscription = SubscriptionHub.Subscription(
                connection: connection,
                feed: feed,
                datastream: datastream,
                resource: request.resource,
                token: request.token,
                key: request.key ?? "",
                address: connection.address
            )
            // The subscription is added before it is acknowledged, so that no write after the acknowledgement is
            // missed.
            guard state.subscriptions.add(subscription, maximum: state.configuration.maxima.subscriptions) else {
                throw CosmFailure.full("subscriptions")
            }
            return LiveReply(to: request, 200)
        } catch {
            return refusal(error, of: request)
        }
    }

    private func unsubscribe(
        _ request: LiveRequest,
        _ faults: ActiveFaults,
        _ connection: LiveConnection
    ) async -> LiveReply {
        do {
            guard let route = Self.resource(of: request) else { throw CosmFailure.notFound }
            let (secret, now) = (request.key ?? "", state.now(faults))
            try await state.store.read { database in _ = try CosmEndpoint.key(secret, at: now, in: database) }
            state.subscriptions.remove(connection, feed: route.feed, datastream: route.datastream)
            return LiveReply(to: request, 200)
        } catch {
            return refusal(error, of: request)
        }
    }

    /// Returns the feed or datastream of a frame, if it exists and its key may read it.
    private func authorizedResource(
        _ request: LiveRequest,
        _ faults: ActiveFaults,
        _ connection: LiveConnection
    ) async throws -> (feed: Int, datastream: String?) {
        guard let resource = Self.resource(of: request) else { throw CosmFailure.notFound }
        let now = state.now(faults)
        let (secret, rules, address) = (request.key ?? "", state.rules, connection.address)
        try await state.store.read { database in
            let key = try CosmEndpoint.key(secret, at: now, in: database)
            guard let feed = try FeedTable(database: database).feed(resource.feed) else { throw CosmFailure.notFound }
            let use = KeyUse(key: key, method: .get, address: address, now: now, rules: rules)
            try use.authorize(.part(resource.datastream, of: feed))
            if let datastream = resource.datastream,
                try DatastreamTable(database: database).datastream(datastream, of: feed.id) == nil
            {
                throw CosmFailure.notFound
            }
        }
        return resource
    }

    /// Returns the resource of a request; `nil` if it is neither a feed nor a datastream.
    private static func resource(of request: LiveRequest) -> (feed: Int, datastream: String?)? {
        switch ResourcePath(request.path).flatMap({ CosmRoute($0.segments) }) {
        case .feed(let feed): (feed, nil)
        case .datastream(let feed, let id): (feed, id)
        default: nil
        }
    }

    private func refusal(_ error: any Error, of request: LiveRequest) -> LiveReply {
        if let failure = error as? CosmFailure { return Self.refusal(failure, of: request) }
        state.logger.error("A live request failed", metadata: ["error": "\(StoreFault.text(of: error))"])
        if StoreFault.temporary(error) != nil { return Self.refusal(.storeUnavailable, of: request) }
        return LiveReply(to: request, 500, "Internal Server Error: the request could not be processed")
    }

    private static func refusal(_ failure: CosmFailure, of request: LiveRequest) -> LiveReply {
        let text =
            failure == .forbidden
            ? "Forbidden: You are not authorized"
            : "\(failure.title): \(failure.errors.joined(separator: "; "))"
        return LiveReply(to: request, failure.status.code, text)
    }
}
