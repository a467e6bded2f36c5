internal import HTTPTypes
internal import HeliumCore
internal import HeliumEssentials
internal import Synchronization

// A registration or update.
extension DeviceRegistrar {
    /// Starts a flight. Must be called while the lock is held.
    func takeOff(_ shared: inout Shared) -> Flight {
        shared.flightID += 1
        let id = shared.flightID
        let pause = shared.registration.pause(now: clock.uptime)
        let flight = Flight { [weak self, clock] in
            do {
                // A delay of up to an hour must not keep the registrar of a client that was released.
                if pause > .zero { try await clock.sleep(for: pause) }
                guard let self else { throw CancellationError() }
                let credential = try await self.fly(id)
                try self.change(id) { $0.flight = nil }
                return credential
            } catch {
                throw self?.crash(error, id: id) ?? error
            }
        }
        shared.flight = flight
        return flight
    }

    /// Changes the state for a flight.
    ///
    /// - Throws: ``Superseded`` if the flight was ended from outside.
    private func change<Result: Sendable>(
        _ flight: Int,
        _ body: (inout Shared) -> Result
    ) throws(Superseded) -> Result {
        try shared.withLock { shared throws(Superseded) -> Result in
            guard shared.flightID == flight else { throw Superseded() }
            return body(&shared)
        }
    }

    /// Returns one error for all waiting calls, or ``Superseded`` if the flight was ended from outside.
    private func crash(_ error: any Error, id: Int) -> any Error {
        shared.withLock { shared -> any Error in
            guard shared.flightID == id else { return Superseded() }
            shared.flight = nil
            // Closing cancels the flight, which is no failure of the registration.
            guard !shared.isClosed else { return Self.closedError(service.url) }
            let failure = Self.failure(error, url: service.url)
            shared.lastFailure = failure
            shared.registration.registrationFailed(
                now: clock.uptime,
                requestedDelay: failure.requestedDelay(now: clock.wallTime),
                random: random
            )
            return failure
        }
    }

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

// MARK: Steps

extension DeviceRegistrar {
    private func fly(_ flight: Int) async throws -> Credential {
        // More than once, because the server may reject a stored token in the meantime. Whenever there is no token, the
        // store is read before a registration.
        for _ in 0..<4 {
            let isUnknown = try await hasToken ? false : !adoptStored(flight)
            if isUnknown {
                try await register(flight)
            } else if let credential = try await bringUpToDate(flight) {
                return credential
            }
            if let credential = shared.withLock({ $0.registration.ready }) { return credential }
            if isUnknown { break }
        }
        throw service.failure("the server rejected the new token")
    }

    private var hasToken: Bool { shared.withLock { $0.registration.registration?.token != nil } }

    /// Reads the store before each registration, because another process that shares it may have registered the device.
    /// Returns whether there is a token.
    private func adoptStored(_ flight: Int) async throws -> Bool {
        let stored = try await entry.load()
        return try change(flight) { shared in
            shared.registration.load(stored, policy: policy, rejected: shared.formerTokens)
            return shared.registration.registration?.token != nil
        }
    }

    private func register(_ flight: Int) async throws {
        try await entry.checkWritable()
        let registered = try await service.register(description)
        let offset = registered.clockOffset.flatMap {
            policy.trusts(service.url.origin) && policy.permits($0) ? $0 : nil
        }
        try change(flight) { shared in
            shared.registration.registered(
                registered.token,
                infoHash: infoHash,
                clockOffset: offset,
                isWithheld: entry.isRequired
            )
        }
        try await saveRegistration(flight, isNew: true)
    }

    /// Saves the registration. If the failure of a store went unnoticed, every run would register another device. With
    /// the policy ``StoreFailurePolicy/fail``, a token is therefore not used before it is saved. If the save fails, the
    /// next flight tries again.
    private func saveRegistration(_ flight: Int, isNew: Bool) async throws {
        let error = await save(isNew: isNew).value
        guard let error, entry.isRequired else {
            return try change(flight) { shared in
                shared.isUnsaved = false
                shared.registration.release()
            }
        }
        try change(flight) { $0.isUnsaved = true }
        throw error
    }

    /// Saves what was not saved, and updates the description if it has changed. If that fails, requests continue with a
    /// token that is valid and saved.
    ///
    /// - Returns: The credential after a failure. It ends the flight, because the next request to the service must wait
    ///   for the delay after the failure, also if the token is rejected from now on.
    private func bringUpToDate(_ flight: Int) async throws -> Credential? {
        do {
            let (isUnsaved, isNew) = shared.withLock { ($0.isUnsaved, $0.registration.isWithheld) }
            if isUnsaved { try await saveRegistration(flight, isNew: isNew) }
            if shared.withLock({ $0.registration.needsUpdate(to: infoHash) }) {
                try await update(flight)
            } else if hasToken {
                try change(flight) { $0.registration.unchanged() }
            }
            return nil
        } catch let error as HeliumError where !Task.isCancelled {
            let credential = try change(flight) { shared -> Credential? in
                guard shared.registration.isUsable else { return nil }
                shared.lastFailure = error
                shared.registration.updateFailed(
                    now: clock.uptime,
                    requestedDelay: error.requestedDelay(now: clock.wallTime),
                    random: random
                )
                return shared.registration.ready
            }
            guard let credential else { throw error }
            return credential
        }
    }

    /// Sends the description, with at most one clock correction. Returns without a token if the server rejects it.
    private func update(_ flight: Int) async throws {
        var reasons: [RetryReason] = []
        while let credential = shared.withLock({ $0.registration.credential }) {
            let (request, response) = try await service.update(description, token: credential.token) { request in
                credential.sign(&request, now: clock.wallTime)
            }
            if 200..<300 ~= response.head.status {
                try change(flight) { $0.registration.updated(credential.token, infoHash: infoHash) }
                return try await saveRegistration(flight, isNew: false)
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

    /// Starts a save of the registration.
    ///
    /// - Parameter isNew: Whether its token replaces that of another process. Default: `false`.
    @discardableResult
    func save(isNew: Bool = false) -> DeviceEntry.Change {
        entry.save(isNew: isNew) { [self] in
            shared.withLock { shared in
                guard let registration = shared.registration.registration, registration.token != nil else { return nil }
                return DeviceEntry.Current(registration: registration, formerTokens: shared.formerTokens)
            }
        }
    }
}
