internal import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Processes requests of REST and of the sockets: injected fault, route, key, rate limit, transaction, document.
struct CosmEndpoint: Sendable {
    let state: CosmState

    func reply(to request: CosmRequest) async -> CosmReply {
        await answered(request) { route, format in try await reply(to: request, route, format) }
    }

    /// Returns the error that the head of a request causes whatever its body is; `nil` if there is none.
    func refusal(of request: CosmRequest) async -> CosmReply? {
        let reply = await answered(request) { _, format in
            guard let secret = request.key, !secret.isEmpty else { throw CosmFailure.unauthorized }
            let now = state.now(request.faults)
            try await state.store.read { database in _ = try Self.key(secret, at: now, in: database) }
            return CosmReply(status: .ok, format: format)
        }
        return reply.failure == nil ? nil : reply
    }

    /// Returns the key if it exists and has not expired.
    ///
    /// - Throws: ``CosmFailure`` with 401 otherwise.
    static func key(_ secret: String, at now: ServerInstant, in database: Database) throws -> AccessKey {
        guard let key = try KeyTable(database: database).key(secret), key.expiresAt.map({ $0 > now }) ?? true else {
            throw CosmFailure.unauthorized
        }
        return key
    }

    private func answered(
        _ request: CosmRequest,
        _ answer: (CosmRoute, DocumentFormat) async throws -> CosmReply
    ) async -> CosmReply {
        let path = ResourcePath(request.path)
        let format = path?.format ?? DocumentFormat.accepted(request.accept)
        do {
            if let failure = Self.replacement(for: request.faults) { throw failure }
            guard let path else { throw CosmFailure.badParameter("the path has a malformed escape") }
            if let fault = path.segments.firstValue(of: \.textFault) ?? request.parameters.fault {
                throw CosmFailure.badParameter(fault.reason)
            }
            guard let route = CosmRoute(path.segments) else {
                throw CosmFailure.noRoute(request)
            }
            guard let format else { throw CosmFailure.notAcceptable }
            return try await answer(route, format)
        } catch let failure as CosmFailure {
            return Self.reply(failure, format ?? .json)
        } catch {
            state.logger.error("A Cosm request failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            return Self.reply(.unexpected(error), format ?? .json)
        }
    }

    private func reply(
        to request: CosmRequest,
        _ route: CosmRoute,
        _ format: DocumentFormat
    ) async throws -> CosmReply {
        guard let secret = request.key, !secret.isEmpty else { throw CosmFailure.unauthorized }
        let now = state.now(request.faults)
        try checkRate(secret, now)
        var request = request
        if request.method == .head { request.method = .get }
        let asked = request
        let answer: @Sendable (Database) throws -> CosmResponse = { [state] database in
            // The time of arrival is read when the write begins, so that timestamps have the order of the writes.
            let now = state.now(asked.faults)
            let key = try Self.key(secret, at: now, in: database)
            return try CosmCall(
                request: asked,
                route: route,
                format: format,
                key: key,
                now: now,
                state: state,
                database: database
            ).answer()
        }
        let context = RenderContext(
            base: request.base,
            root: request.root,
            zone: OutputZone(parameter: request.parameters["timezone"]),
            now: now
        )
        let done: CosmResponse
        if request.method == .get {
            done = try await state.store.read(answer)
        } else {
            done = try await state.store.write(answer) { [state] answer, database in
                state.publish(answer, database, state.now(asked.faults))
            }
        }
        let body = try done.document.map { try DocumentText(context: context).bytes(of: $0, format) } ?? []
        return CosmReply(
            status: done.status,
            format: format,
            body: body,
            location: done.location.map { request.base + $0 }
        )
    }

    /// Counts the request against the limit of its key, if a limit is set (Docs/Protocols/Cosm.md §2.5).
    private func checkRate(_ secret: String, _ now: ServerInstant) throws(CosmFailure) {
        if state.values.withLock({ $0.isExhausted }) { throw .rateLimited }
        guard let limit = state.configuration.rateLimit else { return }
        let rateStatus = state.limiter.count(secret, limit: limit.ofKeys, now: now.microseconds / 1000)
        if rateStatus.isExceeded { throw .rateLimited }
    }

    static func reply(_ failure: CosmFailure, _ format: DocumentFormat) -> CosmReply {
        let text = DocumentText.bytes(of: failure, format)
        return CosmReply(status: failure.status, format: text.format, body: text.bytes, failure: failure)
    }

    /// Returns the error of an injected fault that replaces the API's own response; `nil` if there is none.
    private static func replacement(for faults: ActiveFaults) -> CosmFailure? {
        if let status = faults.status {
            return CosmFailure(HTTPResponse.Status(code: status), "Fault", ["A fault was injected"])
        }
        if faults.contains(.busy) {
            return CosmFailure(.serviceUnavailable, "Service Unavailable", ["I'm busy right now, sorry."])
        }
        if faults.contains(.payloadTooLarge) { return .tooLong }
        if faults.contains(.unauthorizedHTML) { return .unauthorized }
        return nil
    }
}
