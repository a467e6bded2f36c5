internal import HTTPTypes
internal import HeliumEssentials

/// The state of a bearer credential and the decisions about it, without I/O or waiting.
///
/// Times are uptimes. A credential's expiry is converted to an uptime when the credential is accepted, so that setting
/// the machine's clock does not change its remaining lifetime.
struct BearerState: Sendable {
    /// The next step of a request.
    enum Step: Hashable {
        /// Send the request with the current credential.
        case use
        /// Send the request with the current credential, while a refresh runs in the background.
        case useAndRefresh
        /// Wait for a refresh, which has this reason.
        case refresh(BearerRefreshReason)
        /// Fail: there is no valid credential, and none can be obtained.
        case denied
    }

    /// The next step of a request that was rejected.
    enum Verdict: Hashable {
        /// Return the rejecting response to the caller.
        case stands
        /// Send the request again with the credential that is then current.
        case retry
    }

    /// The credential in use.
    private(set) var credential: BearerCredential?
    /// The header field with the credential.
    private(set) var field: HTTPField?
    /// The number of credentials that were accepted.
    private(set) var version = 0
    /// Tokens that may still occur in responses. They are masked.
    private(set) var recentSecrets: [String] = []
    /// The uptime before which no refresh is tried.
    private(set) var notBefore: Duration?
    private(set) var failures = 0

    private let refreshBefore: Duration
    private let canRefresh: Bool
    private var expiresAt: Duration?
    private var refreshAt = Duration.zero
    private var isRejected = false
    private var isDenied = false

    init(refreshBefore: Duration, canRefresh: Bool) {
        self.refreshBefore = max(refreshBefore, .zero)
        self.canRefresh = canRefresh
    }

    /// Returns the next step of a request. `now`, an uptime, is evaluated only if it matters.
    func step(now: @autoclosure () -> Duration) -> Step {
        if credential == nil { return refresh(.missing) }
        if isRejected { return refresh(.rejected) }
        guard let expiresAt, canRefresh else { return .use }
        let now = now()
        if now >= expiresAt { return refresh(.expired) }
        if now < refreshAt || isDenied { return .use }
        return now < notBefore ?? .zero ? .use : .useAndRefresh
    }

    private func refresh(_ reason: BearerRefreshReason) -> Step {
        canRefresh && !isDenied ? .refresh(reason) : .denied
    }

    /// Records that a server rejected a request with this field value.
    ///
    /// Only the current credential is given up. A request that used an older credential is repeated with the newer one.
    mutating func reject(_ value: String) -> Verdict {
        guard let field else { return .stands }
        guard value == field.value else { return .retry }
        guard canRefresh else { return .stands }
        isRejected = true
        return .retry
    }
}

// MARK: Results of a refresh

extension BearerState {
    /// Returns a description of what is wrong with a refreshed credential, or `nil` if it is valid.
    func flaw(in new: BearerCredential) -> String? {
        if !Self.canStandInField(new.token) { return "the new token is empty or not printable ASCII" }
        if isRejected, new.token == credential?.token { return "the refresh returned the rejected token" }
        return nil
    }

    /// Accepts a refreshed credential. If it has already expired, the clocks differ, so it is used until a server
    /// rejects it.
    mutating func refreshed(_ new: BearerCredential, wallTime: Duration, uptime: Duration) {
        var new = new
        if new.refreshToken == nil { new.refreshToken = credential?.refreshToken }
        accept(new, wallTime: wallTime, uptime: uptime)
        if let expiresAt, expiresAt <= uptime { self.expiresAt = nil }
    }

    /// Accepts a credential from outside and clears all earlier failures.
    mutating func update(_ new: BearerCredential, wallTime: Duration, uptime: Duration) {
        accept(new, wallTime: wallTime, uptime: uptime)
    }

    /// Converts the times to those of another clock.
    mutating func clockChanged(wallTime: Duration, uptime: Duration) {
        notBefore = nil
        setExpiry(wallTime: wallTime, uptime: uptime)
    }

    /// Records a failed refresh. The next one is delayed, or not tried before the next update.
    ///
    /// - Parameter requestedDelay: The delay that the authorization server requests. Default: none.
    mutating func refreshFailed(
        isPermanent: Bool,
        requestedDelay: Duration? = nil,
        uptime: Duration,
        random: RandomSource
    ) {
        failures += 1
        if isPermanent {
            isDenied = true
        } else {
            notBefore = uptime + max(Self.pause(after: failures, random), requestedDelay ?? .zero)
        }
    }

    /// Returns the delay before the next refresh.
    func pause(now: Duration) -> Duration { max(.zero, (notBefore ?? now) - now) }

    static func canStandInField(_ token: Secret) -> Bool {
        !token.value.isEmpty && token.value.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Returns a delay with full jitter: up to half a second after the first failure. The maximum doubles with each
    /// failure, up to 30 seconds.
    static func pause(after failures: Int, _ random: RandomSource) -> Duration {
        Backoff.ceiling(afterFailures: failures, first: .milliseconds(500), maximum: .seconds(30)) * random.unit()
    }

    private mutating func accept(_ new: BearerCredential, wallTime: Duration, uptime: Duration) {
        version += 1
        credential = new
        credential?.version = version
        field = HTTPField(name: .authorization, value: "Bearer \(new.token.value)")
        recentSecrets = [new.token.value, new.refreshToken?.value].compactMap(\.self) + recentSecrets.prefix(4)
        (isRejected, isDenied, failures, notBefore) = (false, false, 0, nil)
        setExpiry(wallTime: wallTime, uptime: uptime)
    }

    private mutating func setExpiry(wallTime: Duration, uptime: Duration) {
        guard let expiry = credential?.expiry else {
            expiresAt = nil
            return
        }
        // A credential with a lifetime shorter than the lead is refreshed at half its lifetime, and not continuously.
        let left = expiry.timeIntervalSince1970 - wallTime / .seconds(1)
        let lifetime = Duration.seconds(left.isNaN ? 0 : min(max(left, 0), 1e10))
        expiresAt = uptime + lifetime
        refreshAt = uptime + max(lifetime - refreshBefore, lifetime / 2)
    }
}
