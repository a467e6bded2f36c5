internal import HeliumCore

/// The state of a registration and the decisions about it, without I/O or waiting.
struct RegistrationState {
    /// The data that signs a request: the device's signer and the correction of its clock.
    struct Credential: Sendable {
        let signer: RequestSigner
        let clockOffset: Duration

        var token: String { signer.deviceID }
    }

    private let secret: Secret
    private let secretID: String

    /// The registration that the store contained, or that was made since.
    private(set) var registration: DeviceRegistration?
    /// Whether the store was read.
    private(set) var isLoaded = false
    /// The credential for requests; `nil` while requests must wait.
    private(set) var ready: Credential?
    /// Whether the token was issued to this process or accepted by the server in it.
    private(set) var isTokenConfirmed = false
    /// The uptime before which no registration is tried.
    private(set) var registerNotBefore: Duration?
    /// The uptime before which no update is tried again; `nil` if none is due.
    private(set) var updateNotBefore: Duration?
    private(set) var failures = 0
    /// Whether the token may not be used yet, because the store must save it first.
    private(set) var isWithheld = false
    /// Whether the description must be sent again although it has not changed.
    private var isStale = false
    /// Whether this process has measured the clock offset, and did not only read it.
    private var isOffsetMeasured = false

    init(secret: Secret, secretID: String) {
        self.secret = secret
        self.secretID = secretID
    }

    /// Accepts the registration from the store, unless there is a token already. An offset beyond the policy's limit and
    /// a token that the middleware can't have issued are dropped, because they are invalid and no key can be created
    /// from them.
    ///
    /// - Parameter rejected: Tokens that are not accepted, because the server rejected them or they were forgotten.
    mutating func load(_ stored: DeviceRegistration?, policy: ClockCorrectionPolicy, rejected: [String] = []) {
        isLoaded = true
        guard registration?.token == nil, var stored else { return }
        if !policy.permits(stored.clockOffset) { stored.clockOffset = .zero }
        if let token = stored.token, !DeviceService.isToken(token) || rejected.contains(token) { stored.token = nil }
        // Of another process's token, the entry has the offset at its registration.
        if isOffsetMeasured, let registration { stored.clockOffset = registration.clockOffset }
        // Without a token, the clock offset that is known already is the newer one.
        if registration == nil || stored.token != nil { registration = stored }
    }

    /// Whether there is a token that requests may use.
    var isUsable: Bool { registration?.token != nil && !isWithheld }

    /// The credential for signing an update, even if requests must still wait.
    var credential: Credential? {
        guard let registration, let token = registration.token else { return nil }
        let known = ready.flatMap { $0.token == token ? $0.signer : nil }
        let signer = known ?? RequestSigner(deviceID: token, secret: secret, secretID: secretID)
        return Credential(signer: signer, clockOffset: registration.clockOffset)
    }

    /// Returns whether the description must be sent to the server again.
    func needsUpdate(to hash: String) -> Bool {
        registration?.token != nil && (isStale || registration?.deviceInfoHash != hash)
    }

    /// Accepts a new token.
    ///
    /// - Parameter isWithheld: Whether requests must wait until ``release()``.
    mutating func registered(_ token: String, infoHash: String, clockOffset: Duration?, isWithheld: Bool) {
        registration = DeviceRegistration(
            token: token,
            clockOffset: clockOffset ?? registration?.clockOffset ?? .zero,
            deviceInfoHash: infoHash
        )
        if clockOffset != nil { isOffsetMeasured = true }
        isTokenConfirmed = true
        self.isWithheld = isWithheld
        isStale = false
        succeeded()
    }

    /// Records that the store has saved the token, so that requests may use it.
    mutating func release() {
        guard isWithheld else { return }
        isWithheld = false
        publish()
    }

    /// Records that the server has the description, unless the token was rejected in the meantime.
    mutating func updated(_ token: String, infoHash: String) {
        guard registration?.token == token else { return }
        registration?.deviceInfoHash = infoHash
        isTokenConfirmed = true
        isStale = false
        succeeded()
    }

    /// Records a failed update. The token is still valid, so requests continue, and the update is tried again later. A
    /// delay that the server requests applies to explicit updates and registrations too.
    mutating func updateFailed(now: Duration, requestedDelay: Duration? = nil, random: RandomSource) {
        failures += 1
        updateNotBefore = now + max(pause(random), requestedDelay ?? .zero)
        if let requestedDelay { registerNotBefore = max(registerNotBefore ?? now, now + requestedDelay) }
        publish()
    }

    /// Records that no request was necessary: the stored registration is valid as far as is known.
    mutating func unchanged() { succeeded() }

    /// Records a failed registration. The next one is delayed, at least as long as the server requests.
    mutating func registrationFailed(now: Duration, requestedDelay: Duration? = nil, random: RandomSource) {
        failures += 1
        registerNotBefore = now + max(pause(random), requestedDelay ?? .zero)
    }

    /// Accepts a corrected clock, unless another call has done so. An offset within a second of the current one is
    /// ignored, because the server would not notice the difference. Returns whether it was accepted.
    mutating func correct(offset: Duration) -> Bool {
        guard let current = registration?.clockOffset else { return false }
        guard !(current - .seconds(1)...current + .seconds(1)).contains(offset) else { return false }
        registration?.clockOffset = offset
        isOffsetMeasured = true
        if ready != nil { publish() }
        return true
    }

    /// Records that the server accepted a key created with `token`.
    mutating func confirm(_ token: Substring) {
        if !isTokenConfirmed, let current = ready?.token, current == token { isTokenConfirmed = true }
    }

    /// Drops the token if it is still the one that was rejected. Returns whether it was dropped.
    mutating func invalidate(_ token: String) -> Bool {
        guard registration?.token == token else { return false }
        registration?.token = nil
        registration?.deviceInfoHash = nil
        ready = nil
        isTokenConfirmed = false
        isWithheld = false
        return true
    }

    /// Marks the description as outdated, so that it is sent again.
    mutating func markStale() { isStale = true }

    /// Deletes the registration. A read of the store that began before is ignored.
    mutating func forget() {
        isLoaded = true
        registration = nil
        ready = nil
        isTokenConfirmed = false
        isWithheld = false
        isOffsetMeasured = false
        updateNotBefore = nil
    }

    /// Returns the delay before the next registration.
    func pause(now: Duration) -> Duration { max(.zero, (registerNotBefore ?? now) - now) }

    private mutating func succeeded() {
        failures = 0
        registerNotBefore = nil
        updateNotBefore = nil
        publish()
    }

    private mutating func publish() { ready = isWithheld ? nil : credential }

    /// Returns a delay whose maximum is half a second, doubling to 30 seconds. The upper half is random, so that many
    /// devices do not return at the same time.
    private func pause(_ random: RandomSource) -> Duration {
        let full = Backoff.ceiling(afterFailures: failures, first: .milliseconds(500), maximum: .seconds(30))
        return full / 2 + full / 2 * random.unit()
    }
}
