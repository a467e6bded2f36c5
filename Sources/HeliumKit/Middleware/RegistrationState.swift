internal import HeliumCore

/// What a registrar knows of its device, and when it may try what next: all decisions, no I/O, no waiting.
struct RegistrationState {
    /// What signs a request: one device's signer, and what its clock has to be corrected by.
    struct Credential: Sendable {
        let signer: RequestSigner
        let clockOffset: Duration

        var token: String { signer.deviceID }
    }

    private let secret: Secret
    private let secretID: String

    /// What the store held, or what was registered since.
    private(set) var registration: DeviceRegistration?
    /// Whether the store was read.
    private(set) var isLoaded = false
    /// Set when nothing stands between a request and its signature.
    private(set) var ready: Credential?
    /// Whether the token was issued to or accepted from this process.
    private(set) var isTokenConfirmed = false
    /// Before this uptime no registration is tried.
    private(set) var registerNotBefore: Duration?
    /// Before this uptime no update is tried again; `nil` where none is due.
    private(set) var updateNotBefore: Duration?
    private(set) var failures = 0

    init(secret: Secret, secretID: String) {
        self.secret = secret
        self.secretID = secretID
    }

    /// Takes over what the store held. An offset beyond bounds and a token that the middleware can't have issued are
    /// dropped: they can't be right, and no key could be made of them.
    mutating func load(_ stored: DeviceRegistration?, policy: ClockCorrectionPolicy) {
        isLoaded = true
        guard registration == nil else { return }
        registration = stored
        if let offset = stored?.clockOffset, !policy.permits(offset) { registration?.clockOffset = .zero }
        if let token = stored?.token, !DeviceService.isToken(token) { registration?.token = nil }
    }

    /// What signs an update, whether or not requests may go out yet.
    var credential: Credential? {
        guard let registration, let token = registration.token else { return nil }
        let known = ready.flatMap { $0.token == token ? $0.signer : nil }
        let signer = known ?? RequestSigner(deviceID: token, secret: secret, secretID: secretID)
        return Credential(signer: signer, clockOffset: registration.clockOffset)
    }

    /// Whether the description must be sent to the server again.
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

    /// The token stands, but the description could not be updated: requests go on, the update is tried again later.
    mutating func updateFailed(now: Duration, random: RandomSource) {
        failures += 1
        updateNotBefore = now + pause(random)
        publish()
    }

    /// Nothing had to be done: what the store held is good as far as we know.
    mutating func unchanged() { succeeded() }

    mutating func registrationFailed(now: Duration, random: RandomSource) {
        failures += 1
        registerNotBefore = now + pause(random)
    }

    /// Takes over a corrected clock, unless another call has done so: an offset within a second of the current one changes
    /// nothing that the server would notice. Returns whether it was taken over.
    mutating func correct(offset: Duration) -> Bool {
        guard let current = registration?.clockOffset else { return false }
        guard !(current - .seconds(1)...current + .seconds(1)).contains(offset) else { return false }
        registration?.clockOffset = offset
        if ready != nil { publish() }
        return true
    }

    /// The server accepted a key made with `token`.
    mutating func confirm(_ token: Substring) {
        if !isTokenConfirmed, let current = ready?.token, current == token { isTokenConfirmed = true }
    }

    /// Drops the token, if it is still the one that was refused.
    mutating func invalidate(_ token: String) -> Bool {
        guard registration?.token == token else { return false }
        registration?.token = nil
        ready = nil
        isTokenConfirmed = false
        return true
    }

    /// The token must not be used yet.
    mutating func withhold() { ready = nil }

    /// The description must be sent again, whatever it was.
    mutating func markStale() { registration?.deviceInfoHash = nil }

    /// Forgets the device.
    mutating func forget() {
        registration = nil
        ready = nil
        isTokenConfirmed = false
        updateNotBefore = nil
    }

    /// Takes the pause before the next registration: it is waited for once.
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

    /// Half a second doubling to 30 seconds, of which the upper half is left to chance, so that a fleet spreads out.
    private func pause(_ random: RandomSource) -> Duration {
        let full = Backoff.ceiling(afterFailures: failures, first: .milliseconds(500), maximum: .seconds(30))
        return full / 2 + full / 2 * random.unit()
    }
}
