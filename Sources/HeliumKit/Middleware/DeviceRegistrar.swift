internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials
internal import Synchronization

/// Owns the device's registration and runs at most one registration or update at a time, whatever the concurrency.
///
/// The registration in progress (a flight) belongs to no single call. Calls wait for it, each within its own time
/// limit, and share its outcome. The state behind the lock is authoritative in this process; the store keeps it between
/// runs.
final class DeviceRegistrar: Sendable {
    typealias Credential = RegistrationState.Credential

    private struct Shared {
        var registration: RegistrationState
        var flight: Task<Credential, any Error>?
        var lastFailure: HeliumError?
        /// The last write to the store, which the next write waits for.
        var write: Task<HeliumError?, Never>?
        /// Whether ``write`` has not read the registration yet, so that it will still write the current state.
        var isWriteWaiting = false
        /// Whether the store must save the token before it may be used, and has not saved it yet.
        var isUnsaved = false
        /// The most recent earlier tokens. Late responses may still quote them.
        var formerTokens: [String] = []
        var isClosed = false
    }

    private let service: DeviceService
    private let store: any TokenStore
    private let storeKey: TokenStoreKey
    private let description: Data
    private let infoHash: String
    private let policy: ClockCorrectionPolicy
    private let clock: any HeliumClock
    private let random: RandomSource
    private let shared: Guarded<Shared>
    /// The last known value of ``RegistrationState/isTokenConfirmed``. Every response reads it, so it is kept outside
    /// of the lock.
    private let isConfirmed = Atomic<Bool>(false)

    init(
        service: DeviceService,
        secret: Secret,
        secretID: String,
        device: DeviceConfiguration,
        storeKey: TokenStoreKey,
        environment: ClientEnvironment
    ) {
        description = device.info.canonicalJSON
        infoHash = SHA256.hash(description).hex
        self.service = service
        store = device.store
        self.storeKey = storeKey
        policy = device.clockCorrection
        clock = environment.clock
        random = environment.random
        shared = Guarded(Shared(registration: RegistrationState(secret: secret, secretID: secretID)))
    }

    /// The credential for requests that do not have to wait; `nil` if there is none.
    var readyCredential: Credential? {
        shared.withLock { shared in
            guard let ready = shared.registration.ready else { return nil }
            // A failed update is tried again in the background, without delaying this request.
            if let due = shared.registration.updateNotBefore, shared.flight == nil, !shared.isClosed,
                clock.uptime >= due
            {
                shared.flight = flight()
            }
            return ready
        }
    }

    /// The current token and the most recent earlier ones, for masking.
    var tokens: [String] {
        shared.withLock { shared in
            shared.formerTokens + [shared.registration.registration?.token].compactMap(\.self)
        }
    }

    /// Cancels the flight and rejects later ones.
    func close() {
        let flight = shared.withLock { shared in
            shared.isClosed = true
            return shared.flight
        }
        flight?.cancel()
    }
}

// MARK: Joining a flight

extension DeviceRegistrar {
    /// Waits for a credential. The caller limits the wait; leaving it does not affect other calls.
    func credential(within deadline: Deadline) async throws -> Credential {
        try await join(deadline: deadline).value
    }

    private func join(deadline: Deadline) throws(HeliumError) -> Task<Credential, any Error> {
        let result: Result<Task<Credential, any Error>, HeliumError> = shared.withLock { shared in
            if shared.isClosed { return .failure(Self.closedError(service.url)) }
            // A call that cannot wait until the delay has passed fails at once with the actual error, and not later
            // with a timeout.
            if let notBefore = shared.registration.registerNotBefore, let failure = shared.lastFailure,
                let remaining = deadline.remaining, notBefore - clock.uptime > remaining
            {
                return .failure(failure)
            }
            if let flight = shared.flight { return .success(flight) }
            let flight = flight()
            shared.flight = flight
            return .success(flight)
        }
        return try result.get()
    }

    /// Starts a flight. Must be called while the lock is held, and its result must be stored under the same lock.
    private func flight() -> Task<Credential, any Error> {
        Task { [self] in
            do {
                let credential = try await runFlight()
                shared.withLock { $0.flight = nil }
                return credential
            } catch {
                let failure = Self.failure(error, url: service.url)
                shared.withLock { shared in
                    shared.flight = nil
                    shared.lastFailure = failure
                    shared.registration.registrationFailed(now: clock.uptime, random: random)
                }
                throw failure
            }
        }
    }

    private static func closedError(_ url: RequestURL) -> HeliumError {
        HeliumError(
            .clientClosed,
            request: RequestSummary(method: .post, url: url.redacted),
            delivery: .notSent,
            message: "the client is closed"
        )
    }

    /// Returns one error for all waiting calls.
    private static func failure(_ error: any Error, url: RequestURL) -> HeliumError {
        guard let error = error as? HeliumError else { return closedError(url) }  // the flight was cancelled
        if [.registrationFailed, .clientClosed, .tokenStoreFailed].contains(error.kind) { return error }
        var failure = HeliumError(
            .registrationFailed,
            request: error.request,
            delivery: error.delivery,
            message: "the device could not be registered: \(error.kind): \(error.message)",
            underlying: error
        )
        failure[fact: \.phase] = error.phase
        return failure
    }
}

// MARK: The flight

extension DeviceRegistrar {
    private func runFlight() async throws -> Credential {
        try await pause()
        if !shared.withLock({ $0.registration.isLoaded }) {
            let stored = try await stored()
            shared.withLock { $0.registration.load(stored, policy: policy) }
        }
        if shared.withLock({ $0.isUnsaved }) {
            try await saveToken()
        }
        if shared.withLock({ $0.registration.needsUpdate(to: infoHash) }) {
            try await updateOrRegister()
        } else if hasToken {
            shared.withLock { $0.registration.unchanged() }
        }
        // This includes the case that a call's token was rejected during the update.
        if !hasToken { try await register() }
        guard let credential = shared.withLock({ $0.registration.ready }) else {
            throw service.failure("the server rejected the new token")
        }
        return credential
    }

    private var hasToken: Bool { shared.withLock { $0.registration.registration?.token != nil } }

    private func pause() async throws {
        let pause = shared.withLock { $0.registration.takePause(now: clock.uptime) }
        if pause > .zero { try await clock.sleep(for: pause) }
    }

    private func register() async throws {
        try await checkStore()
        let registered = try await service.register(description)
        let offset = registered.clockOffset.flatMap {
            policy.trusts(service.url.origin) && policy.permits($0) ? $0 : nil
        }
        shared.withLock { $0.registration.registered(registered.token, infoHash: infoHash, clockOffset: offset) }
        try await saveToken()
    }

    /// Saves the token. If the failure of a store went unnoticed, every run would register another device. With the
    /// policy ``StoreFailurePolicy/fail``, a token that could not be saved is therefore not used. The next flight tries
    /// to save it again.
    private func saveToken() async throws {
        do {
            try await persist(isRequired: store.failurePolicy == .fail)
            shared.withLock { $0.isUnsaved = false }
        } catch {
            shared.withLock { shared in
                shared.isUnsaved = true
                shared.registration.withhold()
            }
            throw error
        }
    }

    /// Throws before the server issues a token that could not be saved, unless the store's policy is to continue.
    private func checkStore() async throws {
        guard store.failurePolicy == .fail else { return }
        do { try await store.checkWritable() } catch { throw storeFailure(error) }
    }

    /// Updates the description. If the server no longer knows the token, registers a new device instead.
    private func updateOrRegister() async throws {
        do {
            try await update()
        } catch let error as HeliumError where shared.withLock({ $0.registration.registration?.token != nil }) {
            shared.withLock { shared in
                shared.lastFailure = error
                shared.registration.updateFailed(now: clock.uptime, random: random)
            }
        }
    }

    /// Sends the description, with at most one clock correction and one registration in between.
    private func update() async throws {
        var reasons: [RetryReason] = []
        while true {
            guard let credential = shared.withLock({ $0.registration.credential }) else { return try await register() }
            let (request, response) = try await service.update(description, token: credential.token) { request in
                credential.sign(&request, now: clock.wallTime)
            }
            if 200..<300 ~= response.head.status {
                shared.withLock { $0.registration.updated(infoHash: infoHash) }
                return try await persist(isRequired: store.failurePolicy == .fail)
            }
            let answer = AuthorizedResponse(
                request: request,
                head: response.head,
                body: response.collectedBody ?? Data()
            )
            guard response.head.status == 401, case .retry(let reason) = try await review(answer, reasons: reasons)
            else {
                let message = "the device's description was not updated"
                throw service.failure(request, response, message, hiding: tokens)
            }
            reasons.append(reason)
        }
    }

    private func stored() async throws -> DeviceRegistration? {
        do {
            return try await store.load(storeKey)
        } catch {
            // A store with the policy ``StoreFailurePolicy/startAfresh`` that cannot be written counts as empty.
            if store.failurePolicy == .startAfresh { return nil }
            throw storeFailure(error)
        }
    }

    /// Writes to the store and waits for the result.
    ///
    /// - Parameter isRequired: Whether a failure of the store is thrown.
    private func persist(isRequired: Bool) async throws {
        if let error = await write().value, isRequired { throw error }
    }

    /// Starts a write of the state at the time it runs. Writes are executed in order, so the last one is current. A
    /// write that has not started yet serves all requests made in the meantime.
    @discardableResult
    private func write() -> Task<HeliumError?, Never> {
        shared.withLock { shared in
            if shared.isWriteWaiting, let write = shared.write { return write }
            let previous = shared.write
            let write = Task { [self] in
                _ = await previous?.value
                return await save()
            }
            shared.write = write
            shared.isWriteWaiting = true
            return write
        }
    }

    private func save() async -> HeliumError? {
        let registration = shared.withLock { shared in
            shared.isWriteWaiting = false
            return shared.registration.registration
        }
        guard let registration, registration.token != nil else { return nil }
        do {
            try await store.save(registration, for: storeKey)
            return nil
        } catch {
            return storeFailure(error)
        }
    }

    private func storeFailure(_ error: any Error) -> HeliumError {
        HeliumError(
            .tokenStoreFailed,
            request: RequestSummary(method: .post, url: service.url.redacted),
            delivery: .notSent,
            // The error of a custom store may contain secrets, so only its type is named.
            message: "the token store failed: \((error as? TokenStoreError)?.description ?? "\(type(of: error))")",
            underlying: error
        )
    }
}

// MARK: Responses

extension DeviceRegistrar {
    /// Records that the server accepted a key.
    func confirm(_ request: TransportRequest) {
        guard let key = request.fields[.middlewareKey] else { return }
        shared.withLock { shared in
            shared.registration.confirm(key.prefix(32))
            isConfirmed.store(shared.registration.isTokenConfirmed, ordering: .relaxed)
        }
    }

    /// Whether the current token may not have been accepted yet.
    var awaitsConfirmation: Bool { !isConfirmed.load(ordering: .relaxed) }

    /// Handles a rejected key and decides whether the request is sent again.
    func review(_ answer: AuthorizedResponse, reasons: [RetryReason]) async throws -> AuthorizationReview {
        guard let key = answer.request.fields[.middlewareKey] else { return .accept }
        let token = String(key.prefix(32))
        let errors = ResponseEnvelope.middleware.serverErrors(
            in: answer.body,
            as: ServerError.self,
            using: service.decoder
        )
        let (current, isTokenConfirmed) = shared.withLock { shared in
            (shared.registration.registration?.token, shared.registration.isTokenConfirmed)
        }
        let facts = RejectionDecision.Facts(
            codes: Set(errors.compactMap(\.code).map { ByteText($0) }),
            hasServerTime: answer.head.serverTime != nil,
            isTokenCurrent: current == token,
            isTokenConfirmed: isTokenConfirmed,
            reasons: reasons
        )
        switch RejectionDecision(facts) {
        case .accept:
            return .accept
        case .correctClock:
            try correctClock(answer)
            return .retry(.clockCorrected)
        case .replaceToken:
            let wasCurrent = shared.withLock { shared in
                isConfirmed.store(false, ordering: .relaxed)
                let wasCurrent = shared.registration.invalidate(token)
                if wasCurrent { shared.formerTokens = shared.formerTokens.suffix(3) + [token] }
                return wasCurrent
            }
            if wasCurrent {
                do {
                    _ = try await store.clear(token: token, for: storeKey)
                } catch {
                    // With the policy ``StoreFailurePolicy/startAfresh`` the call continues. If another run loads the
                    // token, the server rejects it again.
                    if store.failurePolicy != .startAfresh { throw storeFailure(error) }
                }
            }
            return .retry(.credentialReplaced)
        case .useNewToken:
            return .retry(.credentialReplaced)
        }
    }

    private func correctClock(_ answer: AuthorizedResponse) throws {
        guard let serverTime = answer.head.serverTime else { return }
        let offset = serverTime - clock.wallTime
        func refused(_ message: String) -> HeliumError {
            HeliumError(
                .clockCorrectionRefused,
                request: RequestSummary(method: answer.request.method, url: answer.request.url.redacted),
                delivery: .answered,
                message: message
            )
        }
        guard policy.trusts(answer.request.url.origin) else {
            throw refused("the server's clock differs: it is not corrected without TLS")
        }
        guard policy.permits(offset) else {
            throw refused(
                "the server's clock differs by \(offset.components.seconds) s, which is more than the limit for corrections"
            )
        }
        let isNew = shared.withLock { $0.registration.correct(offset: offset) }
        // The write is not awaited. If it is lost, the next rejected request corrects the clock again.
        if isNew { write() }
    }
}

// MARK: Explicit calls

extension DeviceRegistrar {
    /// Returns the known registration. Reads the store if it was not read yet.
    func known() async throws -> DeviceRegistration? {
        if !shared.withLock({ $0.registration.isLoaded }) {
            let stored = try await stored()
            shared.withLock { $0.registration.load(stored, policy: policy) }
        }
        return shared.withLock { $0.registration.registration.flatMap { $0.token == nil ? nil : $0 } }
    }

    func ensureRegistered(within deadline: Deadline) async throws -> DeviceRegistration {
        _ = try await credential(within: deadline)
        return try upToDate()
    }

    func forceUpdate(within deadline: Deadline) async throws -> DeviceRegistration {
        // A flight in progress may have sent the description before this call.
        _ = try? await shared.withLock { $0.flight }?.value
        _ = try await known()
        shared.withLock { $0.registration.markStale() }
        return try await ensureRegistered(within: deadline)
    }

    func forget() async throws {
        _ = try? await shared.withLock { $0.flight }?.value
        _ = await shared.withLock { $0.write }?.value
        shared.withLock { shared in
            isConfirmed.store(false, ordering: .relaxed)
            if let token = shared.registration.registration?.token {
                shared.formerTokens = shared.formerTokens.suffix(3) + [token]
            }
            shared.registration.forget()
        }
        do { try await store.remove(storeKey) } catch { throw storeFailure(error) }
    }

    func timedOutError(after limit: Duration) -> HeliumError {
        var error = service.failure("the device's registration took longer than \(limit)")
        error[fact: \.phase] = .total
        return error
    }

    /// Returns the registration if the server has the current description.
    private func upToDate() throws(HeliumError) -> DeviceRegistration {
        let (registration, failure) = shared.withLock { ($0.registration.registration, $0.lastFailure) }
        if let registration, registration.deviceInfoHash == infoHash { return registration }
        throw failure ?? service.failure("the device's description was not updated")
    }
}
