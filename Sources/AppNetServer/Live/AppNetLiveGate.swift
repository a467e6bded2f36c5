internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// Decides on the handshakes of user streams (§2.14) and of pnut's streams (§6.2).
struct AppNetLiveGate: Sendable {
    /// A WebSocket of App.net or pnut.io.
    enum Endpoint: Hashable, Sendable {
        case userStream(isPnut: Bool)
        /// The app stream that the query's `key` names, or the app's first.
        case appStream

        /// The endpoint at a path, whatever stands before it; `nil` if there is none.
        init?(path: Substring) {
            if path.hasSuffix("/stream/user") {
                self = .userStream(isPnut: false)
            } else if path.hasSuffix("/v1/user") {
                self = .userStream(isPnut: true)
            } else if path.hasSuffix("/v1/app") {
                self = .appStream
            } else {
                return nil
            }
        }

        var isPnut: Bool { self != .userStream(isPnut: false) }
    }

    let state: AppNetState

    func admission(of handshake: ServerRequest) async -> LiveAdmission {
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

    private func session(for handshake: ServerRequest) async throws -> any LiveSession {
        guard let endpoint = Endpoint(path: handshake.path) else { throw AppNetFailure.notFound }
        let asked = AppNetParameters(query: handshake.queryText)
        if let fault = asked.fault { throw AppNetFailure.unusable(fault) }
        let parameters = endpoint.isPnut ? PnutParameters.translated(asked) : asked
        let faults = state.faults.take(path: handshake.path)
        if faults.status == 429 { throw AppNetFailure.rateLimited(retryAfter: 1) }
        if let status = faults.status {
            throw AppNetFailure(HTTPResponse.Status(code: status), "Fault: A fault was injected.")
        }
        let secret = AppNetRequest.bearerToken(handshake.fields) ?? parameters["access_token"]
        guard let secret else { throw AppNetFailure.noToken }
        let token = try await AppNetEndpoint(state: state).token(secret)
        switch endpoint {
        case .userStream(let isPnut): return try userStream(of: token, parameters, isPnut: isPnut)
        case .appStream: return try await appStream(of: token, parameters)
        }
    }

    private func userStream(
        of token: AppNetToken,
        _ parameters: AppNetParameters,
        isPnut: Bool
    ) throws -> any LiveSession {
        let asked = try UserStreams.ConnectionRequest(token, parameters, isPnut: isPnut, at: state.microseconds)
        try state.events.userStreams.checkRoom(for: asked)
        return UserStreamSession(state: state, request: asked, isPnut: isPnut)
    }

    private func appStream(of token: AppNetToken, _ parameters: AppNetParameters) async throws -> any LiveSession {
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

    /// The refusal's envelope as the response to a handshake.
    private static func refusal(_ failure: AppNetFailure) -> ServerReply {
        let reply = AppNetReply.refusal(failure, errorID: AppNetState.newErrorID())
        let meta: JSONObject = ["code": .count(failure.status.code)] + reply.answer.meta
        let document: JSONValue = ["meta": .object(meta)]
        var refusal = ServerReply(status: failure.status, body: Array(document.text().utf8))
        refusal.fields[.contentType] = "application/json"
        if let seconds = failure.retryAfter { refusal.fields[.retryAfter] = String(seconds) }
        return refusal
    }
}
