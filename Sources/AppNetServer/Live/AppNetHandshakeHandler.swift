internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// Decides on the handshakes of user streams (Docs/Protocols/AppNet.md §2.14) and of pnut's streams (§6.2).
struct AppNetHandshakeHandler: Sendable {
    /// A WebSocket of App.net or pnut.io.
    struct Endpoint: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case userStream
            /// The app stream with the query's `key`, or the app's first one.
            case appStream
        }

        let kind: Kind
        let dialect: Dialect

        /// Finds the endpoint of a path, with any prefix; `nil` if there is none.
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
            state.logger.error("A handshake failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            return .refused(refusal(.unexpected(error)))
        }
    }

    private func session(for handshake: ServerRequest) async throws -> any LiveSession {
        guard let endpoint = Endpoint(path: handshake.path) else { throw AppNetFailure.notFound }
        let asked = FormFields(query: handshake.queryText)
        if let fault = asked.fault { throw AppNetFailure.unusable(fault) }
        let parameters = endpoint.dialect.parameters(asked, of: endpoint.kind)
        let faults = state.faults.take(method: handshake.method.rawValue, path: handshake.path)
        if let failure = AppNetFailure(injectedBy: faults) { throw failure }
        let secret = AppNetRequest.bearerToken(handshake.fields) ?? parameters["access_token"]
        let token = try await AppNetEndpoint(state: state).token(try require(secret, or: .noToken))
        let display = GeneralParameters(parameters, endpoint.dialect)
        switch endpoint.kind {
        case .userStream: return try userStream(of: token, parameters, display, from: handshake.address)
        case .appStream: return try await appStream(of: token, parameters, display)
        }
    }

    private func userStream(
        of token: AppNetToken,
        _ parameters: FormFields,
        _ display: GeneralParameters,
        from address: String
    ) throws -> any LiveSession {
        let now = state.microseconds
        let asked = try UserStreams.ConnectionRequest(token, parameters, display, from: address, at: now)
        try state.events.userStreams.checkRoom(for: asked)
        return StreamSession(number: state.events.nextNumber()) { [state] sink in
            let id = try state.events.userStreams.connect(asked, sink) { ["meta": ["connection_id": .string($0)]] }
            try state.events.checkIsCurrent(token.id)
            return { state.events.userStreams.disconnect(id, sink, at: state.microseconds) }
        }
    }

    private func appStream(
        of token: AppNetToken,
        _ parameters: FormFields,
        _ display: GeneralParameters
    ) async throws -> any LiveSession {
        try require(token.user == nil, or: .forbidden("This call requires an app token."))
        let key = parameters["key"]
        let streams = try await state.store.read { database in
            try AppStreamTable(database: database).streams(ofClient: token.client)
        }
        let stream = try require(streams.first(where: { key == nil || $0.pnutKey == key }), or: .notFound)
        // A new consumer of the same stream replaces the previous one.
        let others = Set(streams.map(\.id).filter { $0 != stream.id })
        guard state.events.appStreams.connected(among: others) < AppStreamTable.maximumConnected else {
            throw AppNetFailure.tooManyStreams
        }
        return StreamSession(number: state.events.nextNumber()) { [state] sink in
            try state.open(stream, sink, parameters, of: token.id, display: display)
            return { state.close(stream, sink) }
        }
    }

    /// Returns the envelope of a failure as the response to a handshake.
    private func refusal(_ failure: AppNetFailure) -> ServerReply {
        let reply = AppNetReply.refusal(failure, errorID: state.newErrorID())
        let document = AppNetEnvelope.document(of: reply) ?? [:]
        var refusal = ServerReply.text(failure.status, document.text(), type: "application/json")
        if let seconds = failure.retryAfter { refusal.fields[.retryAfter] = String(seconds) }
        return refusal
    }
}
