internal import HTTPTypes
internal import HeliumEssentials

/// What is known of a bearer credential, and what may be done next: all decisions, no I/O, no waiting.
///
/// Times are uptimes. A credential's expiry is turned into one when it is accepted, so that setting the machine's clock
/// does not age it.
struct BearerState: Sendable {
    /// What a request can do now.
    enum Step: Hashable {
        /// Go out with the current credential.
        case use
        /// Go out with it, while a refresh runs in the background.
        case useAndRefresh
        /// Wait for a refresh, for this reason.
        case refresh(BearerRefreshReason)
        /// Nothing: there is no good credential, and no way to one.
        case denied
    }

    /// What a refused request can do.
    enum Verdict: Hashable {
        /// Its answer stands.
        case stands
        /// Be sent again, with the credential that is there then.
        case retry
    }

    /// The credential in use.
    private(set) var credential: BearerCredential?
    /// The field that carries it.
    private(set) var field: HTTPField?
    /// Counts the credentials that were accepted.
    private(set) var version = 0
    /// Tokens that may still turn up in answers: they are masked.
    private(set) var recentSecrets: [String] = []
    /// Before this uptime no refresh is tried.
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

    /// What a request can do at an uptime, which is asked for only if it matters.
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

    /// A server refused a request that went out with this field value.
    ///
    /// Only the current credential is given up. Who was refused with an older one just takes the newer.
    mutating func reject(_ value: String) -> Verdict {
        guard let field else { return .stands }
        guard value == field.value else { return .retry }
        guard canRefresh else { return .stands }
        isRejected = true
        return .retry
    }
}

// MARK: What became of a refresh

extension BearerState {
    /// What is wrong with a credential that a refresh brought; `nil`: nothing.
    func flaw(in new: BearerCredential) -> String? {
        if !Self.canStandInField(new.token) { return "the new token is empty or not printable ASCII" }
        if isRejected, new.token == credential?.token { return "the refresh brought the token that was refused" }
        return nil
    }

    /// Takes over a refreshed credential. One that is past its expiry already shows that the clocks differ: it is used
    /// until a server refuses it.
    mutating func refreshed(_ new: BearerCredential, wallTime: Duration, uptime: Duration) {
        var new = new
        if new.refreshToken == nil { new.refreshToken = credential?.refreshToken }
        accept(new, wallTime: wallTime, uptime: uptime)
        if let expiresAt, expiresAt <= uptime { self.expiresAt = nil }
    }

    /// Takes over a credential from outside: whatever was wrong before is forgotten.
    mutating func update(_ new: BearerCredential, wallTime: Duration, uptime: Duration) {
        accept(new, wallTime: wallTime, uptime: uptime)
    }

    /// Times are those of another clock from now on.
    mutating func clockChanged(wallTime: Duration, uptime: Duration) {
        notBefore = nil
        setExpiry(wallTime: wallTime, uptime: uptime)
    }

    /// A refresh failed: the next waits, or there is none before the next update.
    mutating func refreshFailed(isPermanent: Bool, uptime: Duration, random: RandomSource) {
        failures += 1
        if isPermanent { isDenied = true } else { notBefore = uptime + Self.pause(after: failures, random) }
    }

    /// Takes the pause before the next refresh: it is waited for once.
    mutating func takePause(now: Duration) -> Duration {
        defer { notBefore = nil }
        return max(.zero, (notBefore ?? now) - now)
    }

    static func canStandInField(_ token: Secret) -> Bool {
        !token.value.isEmpty && token.value.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Full jitter: anything up to half a second, doubling with each failure up to 30 seconds.
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
        // A credential that is good for less than the lead is refreshed at half its time, not all the time.
        let left = expiry.timeIntervalSince1970 - wallTime / .seconds(1)
        let lifetime = Duration.seconds(left.isNaN ? 0 : min(max(left, 0), 1e10))
        expiresAt = uptime + lifetime
        refreshAt = uptime + max(lifetime - refreshBefore, lifetime / 2)
    }
}
