internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials
internal import Synchronization

/// Owns the device's registration and runs at most one registration or update at a time, whatever the concurrency.
///
/// The registration in progress (a flight) belongs to no single call. Calls wait for it, each within its own time
/// limit, and share its outcome. Forgetting the device ends the flight: its outcome is discarded, and the calls that
/// wait for it begin another one. The state behind the lock is authoritative in this process; the store keeps it
/// between runs.
final class DeviceRegistrar: Sendable {
    typealias Credential = RegistrationState.Credential
    typealias Flight = SharedTask<Credential>

    /// The flight was ended because the device was forgotten. The caller tries again.
    struct Superseded: Error {}

    struct Shared {
        var registration: RegistrationState
        var flight: Flight?
        /// A counter of flights and of their ends from outside. A flight changes the state only while its own number is
        /// current.
        var flightID = 0
        var lastFailure: HeliumError?
        /// Whether the last save failed although the store must keep the registration. The next flight tries again.
        var isUnsaved = false
        /// The most recent earlier tokens. Late responses may still quote them, and a store may still contain them.
        var formerTokens: [String] = []
        var isClosed = false

        mutating func retire(_ token: String) { formerTokens = formerTokens.suffix(3) + [token] }
    }

    let service: DeviceService
    let entry: DeviceEntry
    let description: Data
    let infoHash: String
    let policy: ClockCorrectionPolicy
    let clock: any HeliumClock
    let random: RandomSource
    let shared: Guarded<Shared>
    /// The last known value of ``RegistrationState/isTokenConfirmed``. Every response reads it, so it is kept outside
    /// of the lock.
    let isConfirmed = Atomic<Bool>(false)

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
        entry = DeviceEntry(
            store: device.store,
            key: storeKey,
            summary: RequestSummary(method: .post, url: service.url.redacted)
        )
        policy = device.clockCorrection
        clock = environment.clock
        random = environment.random
        shared = Guarded(Shared(registration: RegistrationState(secret: secret, secretID: secretID)))
    }

    deinit { shared.withLock { $0.flight }?.cancel() }

    /// The credential for requests that do not have to wait; `nil` if there is none.
    var readyCredential: Credential? {
        shared.withLock { shared in
            guard let ready = shared.registration.ready else { return nil }
            // A failed update is tried again in the background, without delaying this request.
            if let due = shared.registration.updateNotBefore, shared.flight == nil, !shared.isClosed,
                clock.uptime >= due
            {
                _ = takeOff(&shared)
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
        while true {
            try Task.checkCancellation()
            let flight = try shared.withLock { shared throws(HeliumError) -> Flight in
                if let flight = try flightInProgress(shared, within: deadline) { return flight }
                return takeOff(&shared)
            }
            do { return try await flight.value() } catch is Superseded { continue }
        }
    }

    /// Returns the flight in progress, if any.
    ///
    /// - Throws: ``FailureKind/clientClosed``. The last failure, if `deadline` is earlier than the end of the delay after
    ///   it, so that the call fails at once with the actual error and not later with a timeout.
    func flightInProgress(_ shared: Shared, within deadline: Deadline) throws(HeliumError) -> Flight? {
        if shared.isClosed { throw Self.closedError(service.url) }
        if let notBefore = shared.registration.registerNotBefore, let failure = shared.lastFailure,
            let remaining = deadline.remaining, notBefore - clock.uptime > remaining
        {
            throw failure
        }
        return shared.flight
    }

    static func closedError(_ url: RequestURL) -> HeliumError {
        HeliumError(
            .clientClosed,
            request: RequestSummary(method: .post, url: url.redacted),
            delivery: .notSent,
            message: "the client is closed"
        )
    }
}

// MARK: Explicit calls

extension DeviceRegistrar {
    /// Returns the known registration. Reads the store if it was not read yet.
    func known() async throws -> DeviceRegistration? {
        if !shared.withLock({ $0.registration.isLoaded }) {
            let stored = try await entry.load()
            shared.withLock { shared in
                guard !shared.registration.isLoaded else { return }
                shared.registration.load(stored, policy: policy, rejected: shared.formerTokens)
            }
        }
        return shared.withLock { $0.registration.registration.flatMap { $0.token == nil ? nil : $0 } }
    }

    func ensureRegistered(within deadline: Deadline) async throws -> DeviceRegistration {
        _ = try await credential(within: deadline)
        return try upToDate()
    }

    func forceUpdate(within deadline: Deadline) async throws -> DeviceRegistration {
        while true {
            try Task.checkCancellation()
            // A flight in progress may have sent the description before this call, so another one follows it.
            let (flight, isOwn) = try shared.withLock { shared throws(HeliumError) -> (Flight, Bool) in
                if let flight = try flightInProgress(shared, within: deadline) { return (flight, false) }
                shared.registration.markStale()
                return (takeOff(&shared), true)
            }
            do {
                _ = try await flight.value()
            } catch is Superseded {
                continue
            } catch {
                if isOwn { throw error }
            }
            if isOwn { return try upToDate() }
        }
    }

    /// Deletes the registration here and in the store. A flight in progress is ended.
    func forget() async throws {
        let (flight, removal) = shared.withLock { shared in
            isConfirmed.store(false, ordering: .relaxed)
            if let token = shared.registration.registration?.token { shared.retire(token) }
            shared.registration.forget()
            shared.isUnsaved = false
            let flight = shared.flight
            shared.flight = nil
            shared.flightID += 1
            // Under the same lock, so that the removal precedes the save of a registration made from now on.
            return (flight, entry.remove())
        }
        flight?.cancel()
        if let error = await removal.value { throw error }
    }

    func timedOutError(after limit: Duration) -> HeliumError {
        var error = service.failure("the device's registration took longer than \(limit)")
        error[fact: \.phase] = .total
        return error
    }

    /// Returns the registration if the server has the current description.
    private func upToDate() throws(HeliumError) -> DeviceRegistration {
        let (registration, isStale, failure) = shared.withLock { shared in
            (
                shared.registration.registration, shared.registration.needsUpdate(to: infoHash), shared.lastFailure
            )
        }
        if let registration, registration.token != nil, !isStale { return registration }
        throw failure ?? service.failure("the device's description was not updated")
    }
}
