internal import HTTPTypes
internal import HeliumJSON
internal import Logging
internal import NIOHTTP1

/// Decides on handshakes at the WebSocket's port: user streams (§2.14), and pnut's streams (§6.2).
struct AppNetLiveGate: Sendable {
    let state: AppNetState

    func admission(of handshake: LiveHandshake) async -> LiveAdmission {
        do {
            return .session(try await session(for: handshake), isAuthenticated: true)
        } catch let failure as AppNetFailure {
            return .refused(Self.refusal(failure))
        } catch {
            state.logger.error("A handshake failed", metadata: ["error": "\(error)"])
            let failure = AppNetFailure(.internalServerError, "Internal Server Error: The server could not do it.")
            return .refused(Self.refusal(failure))
        }
    }

    private func session(for handshake: LiveHandshake) async throws -> any LiveSession {
        guard !handshake.target.holdsLongMarkRun,
            !handshake.fields.contains(where: { $0.value.holdsLongMarkRun })
        else { throw AppNetFailure.unusable(.marks) }
        let query = handshake.target.firstIndex(of: "?").map { handshake.target[$0...].dropFirst() } ?? ""
        let path = handshake.path
        let isPnut = path.hasSuffix("/v1/user") || path.hasSuffix("/v1/app")
        let asked = AppNetParameters(query: query)
        if let fault = asked.fault { throw AppNetFailure.unusable(fault) }
        let parameters = isPnut ? PnutParameters.translated(asked) : asked
        let isUser = path.hasSuffix("/stream/user") || path.hasSuffix("/v1/user")
        guard isUser || isPnut else { throw AppNetFailure.notFound }
        let faults = state.faults.take(path: path)
        if faults.status == 429 { throw AppNetFailure.rateLimited(retryAfter: 1) }
        if let status = faults.status {
            throw AppNetFailure(HTTPResponse.Status(code: status), "Fault: A fault was injected.")
        }
        var fields: HTTPFields = [:]
        if let header = handshake.fields.first(name: "Authorization") { fields[.authorization] = header }
        let request = AppNetRequest(
            method: .get,
            area: .live,
            segments: [],
            parameters: parameters,
            fields: fields,
            body: .none,
            address: "",
            root: ""
        )
        guard let token = try await AppNetEndpoint(state: state).authenticated(request) else {
            throw AppNetFailure.noToken
        }
        if isUser {
            let asked = try UserStreams.ConnectionRequest(
                token,
                parameters,
                isPnut: isPnut,
                at: state.microseconds
            )
            try state.events.userStreams.checkRoom(for: asked)
            return UserStreamSession(state: state, request: asked, isPnut: isPnut)
        }
        guard token.user == nil else { throw AppNetFailure.forbidden("This call requires an app token.") }
        let key = parameters["key"]
        let streams = try await state.store.read { database in
            try AppStreamTable(database: database).streams(ofClient: token.client)
        }
        guard let stream = streams.first(where: { key == nil || $0.pnutKey == key }) else {
            throw AppNetFailure.notFound
        }
        // Another consumer of the same stream takes its place.
        let others = Set(streams.map(\.id).filter { $0 != stream.id })
        guard state.events.appStreams.connected(among: others) < AppStreamTable.maximumConnected else {
            throw AppNetFailure.tooManyStreams
        }
        return AppStreamSession(state: state, stream: stream, query: parameters)
    }

    /// The refusal's envelope as the answer to a handshake.
    private static func refusal(_ failure: AppNetFailure) -> LiveRefusal {
        let reply = AppNetReply.refusal(failure, errorID: AppNetState.newErrorID())
        let meta: JSONObject = ["code": .count(failure.status.code)] + reply.answer.meta
        var fields = HTTPHeaders([("Content-Type", "application/json")])
        if let seconds = failure.retryAfter { fields.add(name: "Retry-After", value: String(seconds)) }
        return LiveRefusal(
            status: HTTPResponseStatus(statusCode: failure.status.code),
            fields: fields,
            body: Array(JSONValue.object(["meta": .object(meta)]).text().utf8)
        )
    }
}

extension LiveServer {
    /// The WebSocket's port of App.net's streams.
    static func appNet(_ state: AppNetState, host: String, limits: ServerLimits) -> LiveServer {
        let gate = AppNetLiveGate(state: state)
        let framing = LivePort.Framing.webSocket { await gate.admission(of: $0) }
        return LiveServer(
            ports: [LivePort(number: state.configuration.webSocketPort, framing: framing)],
            host: host,
            limits: limits,
            maxima: LiveMaxima(
                connections: LiveLimits.connections,
                unauthenticatedConnections: LiveLimits.unauthenticatedConnections,
                queueBytes: LiveLimits.queueBytes,
                objectBytes: LiveLimits.messageBytes
            ),
            logger: state.logger
        )
    }
}
