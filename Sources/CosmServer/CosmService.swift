internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
package import HeliumServerKit
internal import Logging
internal import Synchronization

/// The Cosm service (Docs/Protocols/Cosm.md §2, §14): REST and the live sockets.
package struct CosmService: ServerProtocol {
    package static let name = "cosm"
    package static var migrator: DatabaseMigrator { CosmSchema.migrator }
    package static var storedTables: [StoredTable] {
        [
            StoredTable(FeedRecord.self), StoredTable(DatastreamRecord.self), StoredTable(TriggerRecord.self),
            StoredTable(UserRecord.self), KeyTable.stored,
        ] + StoredTable.plain("cosm_setting", "cosm_datapoint", "cosm_removal", "cosm_feed_removal", "cosm_waypoint")
    }

    package let control: CosmControl
    package let live: LiveServer?
    let state: CosmState
    private let endpoint: CosmEndpoint
    private let session: LiveEngine
    private let prefix: String

    package init(_ configuration: CosmConfiguration, _ environment: ServerEnvironment) throws {
        let store = try CosmStore(environment.access, random: environment.random, configuration: configuration)
        let muted = try store.mutedTriggers()
        if !muted.isEmpty {
            environment.logger.warning(
                "Triggers of an earlier version on private feeds do not fire until a key with get changes them",
                metadata: ["triggers": "\(muted.map { String($0) }.joined(separator: ","))"]
            )
        }
        let state = CosmState(configuration: configuration, store: store, environment: environment)
        let session = LiveEngine(state: state)
        let maxima = configuration.maxima
        let live = LiveServer(
            maxima: LiveMaxima(
                connections: maxima.liveConnections,
                unauthenticatedConnections: maxima.unauthenticatedLiveConnections,
                queueBytes: maxima.liveQueueBytes,
                objectBytes: maxima.liveObjectBytes
            ),
            port: LivePort(
                number: configuration.tcpPort,
                codec: { ObjectLiveCodec(maximumObjectBytes: maxima.liveObjectBytes) },
                session: session
            ),
            environment: environment
        )
        self.state = state
        self.session = session
        self.live = live
        control = CosmControl(state: state, live: live)
        endpoint = CosmEndpoint(state: state)
        prefix = configuration.prefix
    }

    package func start(at address: ServerAddress) -> ReadyInformation.Cosm? {
        guard let base = URL(string: address.root + prefix), let webSocket = URL(string: address.webSocketRoot),
            let tcpPort = address.ownPort
        else { return nil }
        state.values.withLock { $0.root = address.root }
        return ReadyInformation.Cosm(
            base: base,
            key: state.store.masterKey,
            webSocket: webSocket,
            tcp: "\(address.host):\(tcpPort)"
        )
    }

    /// Sends trigger notifications, runs the timer of triggers on `frozen`, and removes the points of deleted datastreams.
    package func runInBackground() async {
        await withDiscardingTaskGroup { [state] group in
            group.addTask {
                await state.dispatcher.run(
                    context: { state.ownContext($0) },
                    isCurrent: { await state.isCurrent($0) },
                    logger: state.logger
                )
            }
            group.addTask { await state.silence.run { await state.fireSilences() } }
            group.addTask { await state.removal.run { await state.removePoints() } }
        }
    }

    package func hasLiveEndpoint(at path: Substring) -> Bool { path == "/" }

    /// Accepts every handshake, because keys are sent in the frames (Docs/Protocols/Cosm.md §14.1).
    package func admission(of handshake: ServerRequest) async -> LiveAdmission {
        .session(session, isAuthenticated: false)
    }

    package func handles(_ path: Substring) -> Bool {
        path.hasPrefix(prefix) && (path.utf8.count == prefix.utf8.count || path.dropFirst(prefix.count).first == "/")
    }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        switch refusal {
        case .bodyTooLong: Self.reply(CosmEndpoint.reply(.tooLong, .json))
        case .noRoom: Self.reply(CosmEndpoint.reply(.noRoom, .json))
        }
    }

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        guard head.method != .options, head.faults.effects.isEmpty else {
            return .read(maximumBytes: limits.bodyBytes, isProved: false)
        }
        let accepted = BodyAdmission.read(maximumBytes: limits.bodyBytes, isProved: true)
        guard let refusal = await endpoint.refusal(of: asked(head)) else { return accepted }
        return .refused(opened(Self.reply(refusal)))
    }

    package func respond(to request: ServerRequest) async -> ServerReply {
        opened(await answer(request))
    }

    private func opened(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        // Pages of any origin can use the API (Docs/Protocols/Cosm.md §18, xively-js).
        reply.fields[.accessControlAllowOrigin] = "*"
        reply.fields[.accessControlExposeHeaders] = "Location"
        return reply
    }

    private func answer(_ request: ServerRequest) async -> ServerReply {
        if request.method == .options { return Self.preflight }
        if request.faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        let body: CosmBody
        switch request.fields[.contentEncoding]?.lowercased() {
        case "gzip", "deflate": body = .compressed(request.body)
        default: body = .bytes(request.body)
        }
        let asked = asked(request)
        let reply = await endpoint.reply(to: asked, body)
        if let callback = asked.parameters["callback"], request.method == .get, reply.format == .json {
            return Self.padded(reply, callback)
        }
        return Self.reply(reply)
    }

    private func asked(_ request: ServerRequest) -> CosmRequest {
        // Each feed of a list repeats the host.
        let isShort = request.host.utf8.count <= Self.maximumHostBytes
        let root = isShort ? "\(request.scheme)://\(request.host)" : state.values.withLock { $0.root }
        let parameters = FormFields(query: request.queryText)
        return CosmRequest(
            method: request.method,
            path: request.path.dropFirst(prefix.count),
            parameters: parameters,
            key: request.fields[.cosmKey] ?? request.fields[.pachubeKey] ?? parameters["key"],
            referer: request.fields[.referer],
            address: request.address,
            accept: request.fields[.accept],
            base: root + prefix,
            root: root,
            faults: request.faults
        )
    }

    /// The maximum length of a host in the URLs of documents: that of a name in DNS with a port.
    private static let maximumHostBytes = 260

    private static func reply(_ reply: CosmReply) -> ServerReply {
        var answer = ServerReply(status: reply.status, body: reply.body)
        answer.fields[.contentType] = reply.format.mediaType
        if let location = reply.location { answer.fields[.location] = location }
        if let seconds = reply.failure?.retryAfter { answer.fields[.retryAfter] = String(seconds) }
        return answer
    }

    /// Returns a JSONP response (Docs/Protocols/Cosm.md §2.2): the document as the argument of a call. Its status is
    /// always 200, because a script cannot read another one.
    private static func padded(_ reply: CosmReply, _ callback: String) -> ServerReply {
        let isName = callback.utf8.count <= 128 && callback.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$.]*/) != nil
        guard isName else {
            return Self.reply(CosmEndpoint.reply(.badParameter("callback is not a valid name"), .json))
        }
        var answer = ServerReply(status: .ok, body: Array("\(callback)(".utf8) + reply.body + Array(");".utf8))
        answer.fields[.contentType] = "text/javascript; charset=utf-8"
        return answer
    }

    private static let preflight = ServerReply.preflight(
        methods: "GET, POST, PUT, DELETE, OPTIONS",
        headers: "X-ApiKey, X-PachubeApiKey, Accept, Content-Type, Authorization"
    )
}

extension HTTPField.Name {
    static let cosmKey = Self.known("X-ApiKey")
    static let pachubeKey = Self.known("X-PachubeApiKey")
}
