internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// Decides on the handshakes of user streams (§2.14) and of pnut's streams (§6.2).
struct AppNetLiveGate: Sendable {
    /// A WebSocket of App.net or pnut.io.
    struct Endpoint: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case userStream
            /// The app stream that the query's `key` names, or the app's first.
            case appStream
        }

        let kind: Kind
        let dialect: Dialect

        /// The endpoint at a path, whatever stands before it; `nil` if there is none.
        init?(path: Substring) {
            guard let found = Self.all.first(where: { path.hasSuffix($0.path) }) else { return nil }
            (_, kind, dialect) = found
        }

        private static let all: [(path: String, Kind, Dialect)] = [
            ("/stream/user", .userStream, .appNet), ("/v1/user", .userStream, .pnut), ("/v1/app", .appStream, .pnut),
        ]
    }

    let state: AppNetState

    func admission(of handshake: ServerRequest) async -> LiveAdmission {
        do {
            return .session(try await session(for: handshake), isAuthenticated: true)
        } catch let failure as AppNetFailure {
            return .refused(refusal(failure))
        } catch {
            state.logger.error("A handshake failed", metadata: ["error": "\(error)"])
            let failure = AppNetFailure(.internalServerError, "Internal Server Error: The server could not do it.")
            return .refused(refusal(failure))
        }
    }

    private func session(for handshake: ServerRequest) async throws -> any LiveSession {
        guard let endpoint = Endpoint(path: handshake.path) else { throw AppNetFailure.notFound }
        let asked = FormFields(query: handshake.queryText)
        if let fault = asked.fault { throw AppNetFailure.unusable(fault) }
        let parameters = endpoint.dialect.parameters(asked, of: endpoint.kind)
        let faults = state.faults.take(method: handshake.method.rawValue, path: handshake.path)
        if faults.status == 429 { throw AppNetFailure.rateLimited(retryAfter: 1) }
        if let status = faults.status {
            throw AppNetFailure(HTTPResponse.Status(code: status), "Fault: A fault was injected.")
        }
        let secret = AppNetRequest.bearerToken(handshake.fields) ?? parameters["access_token"]
        guard let secret else { throw AppNetFailure.noToken }
        let token = try await AppNetEndpoint(state: state).token(secret)
        let display = GeneralParameters(parameters, endpoint.dialect)
        switch endpoint.kind {
        case .userStream: return try userStream(of: token, parameters, display)
        case .appStream: return try await appStream(of: token, parameters, display)
        }
    }

    private func userStream(
        of token: AppNetToken,
        _ parameters: FormFields,
        _ display: GeneralParameters
    ) throws -> any LiveSession {
        let asked = try UserStreams.ConnectionRequest(token, parameters, display, at: state.microseconds)
        try state.events.userStreams.checkRoom(for: asked)
        return UserStreamSession(state: state, request: asked)
    }

    private func appStream(
        of token: AppNetToken,
        _ parameters: FormFields,
        _ display: GeneralParameters
    ) async throws -> any LiveSession {
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
        return AppStreamSession(state: state, stream: stream, query: parameters, display: display)
    }

    /// The refusal's envelope as the response to a handshake.
    private func refusal(_ failure: AppNetFailure) -> ServerReply {
        let reply = AppNetReply.refusal(failure, errorID: state.newErrorID())
        let meta: JSONObject = ["code": .count(failure.status.code)] + reply.answer.meta
        let document: JSONValue = ["meta": .object(meta)]
        var refusal = ServerReply(status: failure.status, body: Array(document.text().utf8))
        refusal.fields[.contentType] = "application/json"
        if let seconds = failure.retryAfter { refusal.fields[.retryAfter] = String(seconds) }
        return refusal
    }
}
