internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumJSON
package import HeliumServerKit
internal import Logging
internal import Synchronization

/// The signed REST middleware. It processes a request in the order of the reference server
/// (Docs/Protocols/Middleware.md §1.5).
package struct MiddlewareService: ServerProtocol {
    package static let name = "middleware"
    package static var migrator: DatabaseMigrator { MiddlewareStore.migrator }
    package static var storedTables: [StoredTable] { [StoredTable(DeviceRecord.self), StoredTable(TodoRecord.self)] }

    package let control: MiddlewareControl
    private let state: MiddlewareState
    private let limiter = RateLimiter()
    private let registrations = RateLimiter()
    /// The limit on registrations for each address; `nil` if all clients can have the same address.
    private let registrationLimit: ServerRateLimit?
    private let routes: [MiddlewareRoute]
    private let logger: Logger

    package init(_ configuration: MiddlewareConfiguration, _ environment: ServerEnvironment) {
        let store = MiddlewareStore(environment.access, random: environment.random)
        state = MiddlewareState(configuration: configuration, store: store)
        control = MiddlewareControl(state: state)
        logger = environment.logger
        registrationLimit = environment.limits.sharePerAddress < 1 ? configuration.registrationLimit : nil
        routes =
            TodoRoutes(store: store, maximumTodos: configuration.maximumTodos, group: configuration.group).routes
            + DeviceRoutes(store: store, maximumDevices: configuration.maximumDevices).routes
    }

    package func start(at address: ServerAddress) -> ReadyInformation.Middleware? {
        let base = address.root + state.configuration.prefix
        guard let baseURL = URL(string: base), let devices = URL(string: base + "/devices"),
            let secret = state.configuration.secrets.first
        else { return nil }
        return ReadyInformation.Middleware(base: baseURL, devices: devices, secret: secret.secret, secretID: secret.id)
    }

    /// The service listing, whose document contains the other routes with the host of the request.
    private var listing: MiddlewareRoute {
        MiddlewareRoute(id: "services.list", kind: .list, resource: "services", rules: [], isSigned: false) { call in
            ServiceListing.document(of: routes, base: base(of: call.request))
        }
    }

    /// Returns `true` for every path. The middleware responds with 404 to paths that no other service handles.
    package func handles(_ path: Substring) -> Bool { true }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        switch refusal {
        case .bodyTooLong: Envelope.parserFailure(.contentTooLarge)
        case .noRoom: Envelope.emptyFailure(.serviceUnavailable)
        }
    }

    package func respond(to request: ServerRequest) async -> ServerReply {
        if let reply = Self.replacement(for: request.faults) { return reply }
        let document: RequestDocument
        do {
            document = try RequestDocument.parse(
                request.body,
                fields: request.fields,
                ceiling: state.configuration.maximumJSONBytes
            )
        } catch {
            return Envelope.parserFailure(error.status)
        }
        guard let (route, rawIdentifier) = route(for: request) else { return Envelope.emptyFailure(.notFound) }
        // Escapes that are not UTF-8 do not reach the route.
        guard let identifier = PercentEncoding.decoded(rawIdentifier), !identifier.unicodeScalars.contains("\u{FFFD}")
        else {
            return Envelope.parserFailure(.badRequest)
        }
        var limitFields = HTTPFields()
        if let limit = state.configuration.rateLimit {
            let rateStatus = limiter.count(
                "\(request.address) \(route.kind)",
                limit: limit,
                now: state.configuration.clock.milliseconds()
            )
            limitFields = Self.fields(of: rateStatus)
            if rateStatus.isExceeded {
                var reply = Envelope.failure(.tooManyRequests, code: "RateLimitExceeded", "Rate limit exceeded")
                reply.fields.append(contentsOf: limitFields)
                return reply
            }
        }
        if route.isRegistration, let limit = registrationLimit {
            let status = registrations.count(
                AddressShare.client(of: request.address),
                limit: limit,
                now: state.configuration.clock.milliseconds()
            )
            if status.isExceeded {
                var reply = Envelope.failure(.tooManyRequests, code: "RateLimitExceeded", "Rate limit exceeded")
                reply.fields.append(contentsOf: Self.fields(of: status))
                return reply
            }
        }
        var reply = await checkedReply(to: request, document: document, route: route, identifier: identifier)
        reply.fields.append(contentsOf: limitFields)
        return reply
    }

    /// Performs the checks from step 3 on.
    private func checkedReply(
        to request: ServerRequest,
        document: RequestDocument,
        route: MiddlewareRoute,
        identifier: String
    ) async -> ServerReply {
        guard let query = request.query else { return Envelope.parserFailure(.badRequest) }
        let values = ParameterValues(route.allRules) { rule in
            switch rule.section {
            case .header: HTTPField.Name(rule.id).flatMap { request.fields[$0] }.map(JSONValue.string)
            case .query: query[rule.id]
            case .path: .string(identifier)
            case .body: document.document?.value(at: rule.id)
            }
        }
        guard values.violations.isEmpty else {
            return Envelope.failure(.badRequest, values.violations.map(\.document))
        }
        let now = state.now(request.faults)
        var reply: ServerReply
        do {
            let identity = route.isSigned ? try await identity(of: request, document: document, values: values) : nil
            let call = MiddlewareCall(
                request: request,
                values: values,
                identifier: identifier,
                identity: identity,
                now: now
            )
            let response = try await route.run(call)
            if route.isRegistration { state.values.withLock { $0.registrations += 1 } }
            let selection = values.string("selection", in: .query).flatMap(FieldSelection.init)
            reply = Envelope.success(response.map { selection?.apply(to: $0) ?? $0 })
        } catch let failure as KeyFailure {
            reply = Envelope.failure(.init(code: failure.status), code: failure.code, failure.message)
        } catch let failure as RouteFailure {
            reply = Envelope.failure(failure.status, failure.errors)
        } catch {
            logger.error(
                "A route failed",
                metadata: ["route": "\(route.id)", "error": "\(StoreFault.text(of: error))"]
            )
            if StoreFault.temporary(error) == nil {
                reply = Envelope.emptyFailure(.internalServerError)
            } else {
                reply = Envelope.emptyFailure(.serviceUnavailable)
                reply.fields[.retryAfter] = String(StoreFault.retryAfter)
            }
        }
        if reply.status == .unauthorized {
            reply.fields[.wwwAuthenticate] = "Token realm=\"\(base(of: request))\""
        }
        // Routes without a key send the time only when they succeed, and the listing never does.
        let tellsTime = route.isSigned || (route.kind == .create && reply.status == .ok)
        if tellsTime, !request.faults.contains(.missingTimestamp) { reply.fields[.timestamp] = String(now) }
        return reply
    }

    /// Performs steps 4 to 12, and records the use of a valid key in its device.
    private func identity(
        of request: ServerRequest,
        document: RequestDocument,
        values: ParameterValues
    ) async throws -> KeyVerifier.Identity {
        let key = values.string("key", in: .header) ?? ""
        let faults = request.faults
        if faults.contains(.forgetAllDevices) { _ = try await state.store.removeDevices { _ in true } }
        if faults.contains(.forgetDevice), case .signed(let parts) = PresentedKey(key) {
            _ = try await state.store.removeDevice(parts.deviceID)
        }
        var secrets = state.values.withLock { $0.secrets }
        if faults.contains(.disableSecret) {
            for index in secrets.indices { secrets[index].isEnabled = false }
        }
        let verifier = KeyVerifier(
            secrets: secrets,
            staticKeys: state.configuration.staticKeys,
            group: state.configuration.group
        )
        let now = state.now(faults)
        let identity = try await verifier.verify(
            key,
            request: SignedRequest(
                method: request.method.rawValue,
                scheme: request.scheme,
                hostHeader: request.host,
                requestTarget: request.target,
                bodyText: document.text
            ),
            now: now,
            address: request.address,
            countsAsExpired: faults.contains(.keyExpired)
        ) { id in
            var device = try await state.store.device(id)
            if faults.contains(.disableDevice) { device?.status = .disabled }
            return device
        }
        switch identity {
        case .device(let device):
            guard let used = device.used(at: now) else { return identity }
            do {
                let updated = try await state.store.updateDevice(
                    device.id,
                    maximum: state.configuration.maximumDevices
                ) { record in
                    // Decided again for the stored record, because another request may have changed it.
                    if let used = record.used(at: now) { record = used }
                }
                return .device(updated ?? device)
            } catch {
                // A full or read-only store can still answer reading routes. The next request records the use.
                guard let fault = StoreFault.temporary(error) else { throw error }
                logger.error("The use of a device could not be recorded", metadata: ["error": "\(fault)"])
                return .device(used)
            }
        case .staticKey(let staticKey):
            if let limit = staticKey.rateLimit,
                limiter.count("key \(staticKey.value)", limit: limit, now: now).isExceeded
            {
                throw KeyFailure.rate
            }
            return identity
        }
    }
}

extension MiddlewareService {
    /// Returns the base URL of all routes as the client sees it.
    private func base(of request: ServerRequest) -> String {
        "\(request.scheme)://\(request.host)\(state.configuration.prefix)"
    }

    /// Returns the route of a method and a path, with the still encoded `:id`. Letter case and a slash at the end are
    /// ignored.
    private func route(for request: ServerRequest) -> (MiddlewareRoute, Substring)? {
        let prefix = state.configuration.prefix
        let path = request.path
        guard path.prefix(prefix.count).lowercased() == prefix.lowercased() else { return nil }
        let rest = path.dropFirst(prefix.count)
        guard rest.first == "/" else { return nil }
        var segments = rest.dropFirst().split(atByte: "/", omittingEmptySubsequences: false)
        if segments.count > 1, segments.last == "" { segments.removeLast() }
        let method = request.method == .head ? .get : request.method
        for route in routes + [listing] where route.kind.method == method {
            guard segments.count == (route.hasIdentifier ? 2 : 1), segments[0].lowercased() == route.resource else {
                continue
            }
            let identifier = route.hasIdentifier ? segments[1] : ""
            return (route, identifier)
        }
        return nil
    }

    /// Returns the response of a fault that replaces the middleware's own.
    private static func replacement(for faults: ActiveFaults) -> ServerReply? {
        if let status = faults.status { return Envelope.emptyFailure(.init(code: status)) }
        if faults.contains(.busy) {
            return .text(.serviceUnavailable, "I'm busy right now, sorry.", type: "text/plain; charset=utf-8")
        }
        if faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        if faults.contains(.payloadTooLarge) { return Envelope.parserFailure(.contentTooLarge) }
        return nil
    }

    private static func fields(of rateStatus: RateLimiter.Status) -> HTTPFields {
        var fields = HTTPFields()
        fields[.known("X-Rate-Limit-Limit")] = String(rateStatus.limit)
        fields[.known("X-Rate-Limit-Remaining")] = String(rateStatus.remaining)
        fields[.known("X-Rate-Limit-Reset")] = String(rateStatus.reset)
        return fields
    }
}

extension JSONValue {
    /// Returns the value at a dotted path of member names.
    fileprivate func value(at path: String) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}
