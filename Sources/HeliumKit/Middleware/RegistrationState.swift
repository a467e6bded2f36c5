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

    init(secret: Secret, secretID: String) {
        self.secret = secret
        self.secretID = secretID
    }

    /// Accepts the registration from the store. An offset beyond the policy's limit and a token that the middleware
    /// can't have issued are dropped, because they are invalid and no key can be created from them.
    mutating func load(_ stored: DeviceRegistration?, policy: ClockCorrectionPolicy) {
        isLoaded = true
        guard registration == nil else { return }
        registration = stored
        if let offset = stored?.clockOffset, !policy.permits(offset) { registration?.clockOffset = .zero }
        if let token = stored?.token, !DeviceService.isToken(token) { registration?.token = nil }
    }

    /// The credential for signing an update, even if requests must still wait.
    var credential: Credential? {
        guard let registration, let token = registration.token else { return nil }
        let known = ready.flatMap { $0.token == token ? $0.signer : nil }
        let signer = known ?? RequestSigner(deviceID: token, secret: secret, secretID: secretID)
        return Credential(signer: signer, clockOffset: registration.clockOffset)
    }

    /// Returns whether the description must be sent to the server again.
    func needsUpdate(to hash: String) -> Bool { registration?.token != nil && registration?.deviceInfoHash != hash }

    mutating func registered(_ token: String, infoHash: String, clockOffset: Duration?) {
        registration = DeviceRegistration(
            token: token,
            clockOffset: clockOffset ?? registration?.clockOffset ?? .zero,
            deviceInfoHash: infoHash
        )
        isTokenConfirmed = true
        succeeded()
    }

    mutating func updated(infoHash: String) {
        registration?.deviceInfoHash = infoHash
        isTokenConfirmed = true
        succeeded()
    }

    /// Records a failed update. The token is still valid, so requests continue, and the update is tried again later.
    mutating func updateFailed(now: Duration, random: RandomSource) {
        failures += 1
        updateNotBefore = now + pause(random)
        publish()
    }

    /// Records that no request was necessary: the stored registration is valid as far as is known.
    mutating func unchanged() { succeeded() }

    mutating func registrationFailed(now: Duration, random: RandomSource) {
        failures += 1
        registerNotBefore = now + pause(random)
    }

    /// Accepts a corrected clock, unless another call has done so. An offset within a second of the current one is
    /// ignored, because the server would not notice the difference. Returns whether it was accepted.
    mutating func correct(offset: Duration) -> Bool {
        guard let current = registration?.clockOffset else { return false }
        guard !(current - .seconds(1)...current + .seconds(1)).contains(offset) else { return false }
        registration?.clockOffset = offset
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
        ready = nil
        isTokenConfirmed = false
        return true
    }

    /// Prevents the token from being used before the store has saved it.
    mutating func withhold() { ready = nil }

    /// Marks the description as outdated, so that it is sent again.
    mutating func markStale() { registration?.deviceInfoHash = nil }

    /// Deletes the registration.
    mutating func forget() {
        registration = nil
        ready = nil
        isTokenConfirmed = false
        updateNotBefore = nil
    }

    /// Returns the delay before the next registration and clears it, so that it is waited for once.
    mutating func takePause(now: Duration) -> Duration {
        defer { registerNotBefore = nil }
        return max(.zero, (registerNotBefore ?? now) - now)
    }

    private mutating func succeeded() {
        failures = 0
        registerNotBefore = nil
        updateNotBefore = nil
        publish()
    }

    private mutating func publish() { ready = credential }

    /// Returns a delay whose maximum is half a second, doubling to 30 seconds. The upper half is random, so that many
    /// devices do not return at the same time.
    private func pause(_ random: RandomSource) -> Duration {
        let full = Backoff.ceiling(afterFailures: failures, first: .milliseconds(500), maximum: .seconds(30))
        return full / 2 + full / 2 * random.unit()
    }
}
