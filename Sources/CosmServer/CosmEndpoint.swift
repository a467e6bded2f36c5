internal import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumServerKit
internal import Logging
internal import Synchronization

/// Processes requests of REST and of the sockets: injected fault, route, key and rights, rate limit, body, transaction,
/// document.
struct CosmEndpoint: Sendable {
    let state: CosmState

    func reply(to request: CosmRequest, _ body: CosmBody) async -> CosmReply {
        await answered(request) { route, format in try await reply(to: request, body, route, format) }
    }

    /// Returns the error that the head of a request causes whatever its body is; `nil` if there is none. A request with an
    /// error counts against the rate limit here, because it gets no further.
    func refusal(of request: CosmRequest) async -> CosmReply? {
        let reply = await answered(request) { route, format in
            try await admit(request, route, counts: .ifRefused)
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
        _ body: CosmBody,
        _ route: CosmRoute,
        _ format: DocumentFormat
    ) async throws -> CosmReply {
        if state.values.withLock({ $0.isExhausted }) { throw CosmFailure.rateLimited }
        var request = request
        if request.method == .head { request.method = .get }
        let context = RenderContext(
            base: request.base,
            root: request.root,
            zone: OutputZone(parameter: request.parameters["timezone"]),
            now: state.now(request.faults)
        )
        let done = try await response(to: request, body, route, format)
        let bytes = try done.document.map { try DocumentText(context: context).bytes(of: $0, format) } ?? []
        return CosmReply(
            status: done.status,
            format: format,
            body: bytes,
            location: done.location.map { request.base + $0 }
        )
    }

    /// Authorizes a request, then parses its body, then processes it in a transaction.
    private func response(
        to request: CosmRequest,
        _ body: CosmBody,
        _ route: CosmRoute,
        _ format: DocumentFormat
    ) async throws -> CosmResponse {
        if request.method == .get {
            return try await state.store.read { [state] database in
                let use = try Self.use(of: request, state, database)
                try Self.count(use, state)
                let content = CosmContent(body: .none, format: format)
                let operation = try CosmOperation(request, route, content, now: use.now)
                let call = CosmCall(request: request, use: use, state: state, database: database, format: format)
                return try call.answer(operation)
            }
        }
        try await admit(request, route, counts: .always)
        let content = CosmContent(body: body, format: format)
        let operation = try CosmOperation(request, route, content, now: state.now(request.faults))
        var answer = try await write(request, operation, isContinued: false)
        while answer.isUnfinished { answer = try await write(request, operation, isContinued: true) }
        return answer
    }

    private func write(
        _ request: CosmRequest,
        _ operation: CosmOperation,
        isContinued: Bool
    ) async throws -> CosmResponse {
        try await state.store.write { [state] database in
            // The time of arrival is read when the write begins, so that timestamps have the order of the writes.
            let use = try Self.use(of: request, state, database)
            var call = CosmCall(request: request, use: use, state: state, database: database)
            call.isContinued = isContinued
            return try call.answer(operation)
        } publish: { [state] answer, database in
            state.publish(answer, database, state.now(request.faults))
        }
    }

    /// Checks the key of a request, and the rights that the request needs whatever its body is.
    ///
    /// - Parameter counts: When the request counts against the rate limit of its key.
    private func admit(_ request: CosmRequest, _ route: CosmRoute, counts: Counting) async throws {
        try await state.store.read { [state] database in
            let use = try Self.use(of: request, state, database)
            if counts == .always { try Self.count(use, state) }
            guard request.method != .get, CosmAction(route, request.method) != nil else { return }
            do {
                try CosmCall(request: request, use: use, state: state, database: database).admit(route)
            } catch let failure as CosmFailure {
                if counts == .ifRefused { try Self.count(use, state) }
                throw failure
            }
        }
    }

    private enum Counting {
        case always, ifRefused
    }

    /// Returns the use of a request's key.
    ///
    /// - Throws: ``CosmFailure`` with 401 without a valid key.
    private static func use(of request: CosmRequest, _ state: CosmState, _ database: Database) throws -> KeyUse {
        guard let secret = request.key, !secret.isEmpty else { throw CosmFailure.unauthorized }
        let now = state.now(request.faults)
        return KeyUse(
            key: try key(secret, at: now, in: database),
            // A method without a right has no call, and fails before any right is checked.
            method: AccessMethod(rawValue: request.method.rawValue.lowercased()) ?? .get,
            address: request.address,
            referer: request.referer,
            now: now,
            rules: state.rules
        )
    }

    /// Counts a request against the limit of its key, if a limit is set (Docs/Protocols/Cosm.md §2.5). Requests with
    /// unknown keys are not counted, because anyone could fill the table with them.
    private static func count(_ use: KeyUse, _ state: CosmState) throws(CosmFailure) {
        if state.values.withLock({ $0.isExhausted }) { throw .rateLimited }
        guard let limit = state.configuration.rateLimit else { return }
        let milliseconds = use.now.microseconds / 1000
        if state.limiter.count(use.key.secret, limit: limit.ofKeys, now: milliseconds).isExceeded {
            throw .rateLimited
        }
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
