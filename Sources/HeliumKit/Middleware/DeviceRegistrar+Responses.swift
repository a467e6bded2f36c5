internal import HTTPTypes
internal import HeliumCore
internal import HeliumEssentials
internal import Synchronization

// Responses to signed requests.
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
            try await drop(token)
            return .retry(.credentialReplaced)
        case .useNewToken:
            return .retry(.credentialReplaced)
        }
    }

    /// Deletes a rejected token here and in the store. The next flight reads the store, which waits for this deletion and
    /// may contain the token of another process.
    private func drop(_ token: String) async throws {
        let deletion = shared.withLock { shared -> DeviceEntry.Change? in
            guard shared.registration.invalidate(token) else { return nil }
            isConfirmed.store(false, ordering: .relaxed)
            shared.retire(token)
            shared.isUnsaved = false
            return entry.clear(token)
        }
        // With the policy ``StoreFailurePolicy/startAfresh`` the call continues. If another run loads the token, the
        // server rejects it again.
        if let error = await deletion?.value, entry.isRequired { throw error }
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
                "the server's clock differs by \(offset.withinCentury.components.seconds) s, which is more than the limit for corrections"
            )
        }
        let isNew = shared.withLock { $0.registration.correct(offset: offset) }
        // The save is not awaited. If it is lost, the next rejected request corrects the clock again.
        if isNew { save() }
    }
}
