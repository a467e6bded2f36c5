import Foundation
import HTTPTypes
import HeliumTesting
import Testing

@testable import HeliumCore

@Suite("State of a bearer credential")
struct BearerStateTests {
    private static let wall = Duration.seconds(1_455_264_007)
    private static let half = RandomSource { 1 << 63 }

    private static func credential(_ token: String, goodFor seconds: Double? = nil) -> BearerCredential {
        let now = 1_455_264_007.0
        return BearerCredential(
            token: Secret(token),
            expiry: seconds.map { Date(timeIntervalSince1970: now + $0) }
        )
    }

    private static func state(
        _ initial: BearerCredential?,
        refreshBefore: Duration = .seconds(60),
        canRefresh: Bool = true
    ) -> BearerState {
        var state = BearerState(refreshBefore: refreshBefore, canRefresh: canRefresh)
        if let initial { state.update(initial, wallTime: wall, uptime: .zero) }
        return state
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var initial: BearerCredential?
        var canRefresh = true
        var isRejected = false
        var isDenied = false
        var seconds = 0.0
        var expected: BearerState.Step

        var testDescription: String { "\(name) at \(seconds) s" }
    }

    @Test(
        "the state of a bearer decides whether a request is sent, waits or refreshes",
        arguments: [
            Case(name: "none", initial: nil, expected: .refresh(.missing)),
            Case(name: "none, no way", initial: nil, canRefresh: false, expected: .denied),
            Case(name: "no expiry", initial: credential("a"), seconds: 1e9, expected: .use),
            Case(name: "good", initial: credential("a", goodFor: 3600), seconds: 3539.9, expected: .use),
            Case(name: "expiring", initial: credential("a", goodFor: 3600), seconds: 3540, expected: .useAndRefresh),
            Case(name: "expired", initial: credential("a", goodFor: 3600), seconds: 3600, expected: .refresh(.expired)),
            Case(name: "short", initial: credential("a", goodFor: 40), seconds: 19.9, expected: .use),
            Case(
                name: "short, half over",
                initial: credential("a", goodFor: 40),
                seconds: 20,
                expected: .useAndRefresh
            ),
            Case(name: "expired before", initial: credential("a", goodFor: -1), expected: .refresh(.expired)),
            Case(
                name: "expired, no way: the server decides",
                initial: credential("a", goodFor: -1),
                canRefresh: false,
                expected: .use
            ),
            Case(name: "rejected", initial: credential("a"), isRejected: true, expected: .refresh(.rejected)),
            Case(
                name: "rejected and denied",
                initial: credential("a"),
                isRejected: true,
                isDenied: true,
                expected: .denied
            ),
            Case(
                name: "expiring and denied: still good",
                initial: credential("a", goodFor: 3600),
                isDenied: true,
                seconds: 3599,
                expected: .use
            ),
            Case(
                name: "expired and denied",
                initial: credential("a", goodFor: 3600),
                isDenied: true,
                seconds: 3600,
                expected: .denied
            ),
        ]
    )
    func steps(_ example: Case) {
        var state = Self.state(example.initial, canRefresh: example.canRefresh)
        if example.isRejected { #expect(state.reject("Bearer a") == .retry) }
        if example.isDenied { state.refreshFailed(isPermanent: true, uptime: .zero, random: Self.half) }
        #expect(state.step(now: .seconds(example.seconds)) == example.expected)
    }

    @Test(
        "the state of a bearer reads no clock for a credential without an expiry",
        arguments: [credential("a"), nil]
    )
    func noClock(initial: BearerCredential?) {
        let state = Self.state(initial)
        func now() -> Duration {
            Issue.record("asked for the time")
            return .zero
        }
        _ = state.step(now: now())
    }

    @Test("a 401 for an older credential does not invalidate the current one")
    func rejection() {
        var state = Self.state(Self.credential("a"))
        #expect(state.reject("Bearer a") == .retry)
        state.refreshed(Self.credential("b"), wallTime: Self.wall, uptime: .zero)
        #expect(state.version == 2 && state.credential?.version == 2 && state.field?.value == "Bearer b")
        #expect(state.reject("Bearer a") == .retry)
        #expect(state.step(now: .zero) == .use)
        var fixed = Self.state(Self.credential("a"), canRefresh: false)
        #expect(fixed.reject("Bearer a") == .stands)
        #expect(fixed.reject("Bearer older") == .retry)
        var empty = Self.state(nil)
        #expect(empty.reject("Bearer a") == .stands)
    }

    @Test("an invalid result of a refresh is recognized")
    func flaws() {
        var state = Self.state(Self.credential("a"))
        #expect(state.flaw(in: Self.credential("a")) == nil)
        for token in ["", "a b", "a\r\nX: y", "\u{E4}"] { #expect(state.flaw(in: Self.credential(token)) != nil) }
        _ = state.reject("Bearer a")
        #expect(state.flaw(in: Self.credential("a")) != nil)
        #expect(state.flaw(in: Self.credential("b")) == nil)
    }

    @Test("a refresh token is kept if a refresh does not return one, and the last secrets are masked")
    func refreshToken() {
        var initial = Self.credential("a")
        initial.refreshToken = "r1"
        var state = Self.state(initial)
        state.refreshed(Self.credential("b"), wallTime: Self.wall, uptime: .zero)
        #expect(state.credential?.refreshToken == "r1")
        #expect(Set(state.recentSecrets) == ["a", "b", "r1"])
        for index in 0..<100 {
            state.refreshed(Self.credential("t\(index)"), wallTime: Self.wall, uptime: .zero)
        }
        #expect(state.recentSecrets.count <= 6)
    }

    @Test("a refreshed credential that has already expired is used until it is refused")
    func expiredOnArrival() {
        var state = Self.state(nil)
        state.refreshed(Self.credential("a", goodFor: -5), wallTime: Self.wall, uptime: .seconds(7))
        #expect(state.step(now: .seconds(7)) == .use)
        #expect(state.step(now: .seconds(1e6)) == .use)
    }

    @Test("a credential may have any expiry", arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 0])
    func anyExpiry(seconds: Double) {
        var state = Self.state(nil)
        let credential = BearerCredential(token: "a", expiry: Date(timeIntervalSince1970: seconds))
        state.update(credential, wallTime: Self.wall, uptime: .zero)
        #expect(state.step(now: .seconds(1)) == (seconds > 1e10 ? .use : .refresh(.expired)))
    }

    @Test("delays after failed refreshes double from half a second to thirty, with jitter")
    func backOff() {
        var state = Self.state(nil)
        for expected in [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15] {
            state.refreshFailed(isPermanent: false, uptime: .seconds(100), random: Self.half)
            #expect(state.notBefore == .seconds(100 + expected))
        }
        #expect(state.pause(now: .seconds(110)) == .seconds(5))
        #expect(state.pause(now: .seconds(115)) == .zero)
        state.refreshFailed(isPermanent: false, uptime: .seconds(100), random: RandomSource { 0 })
        #expect(state.pause(now: .seconds(100)) == .zero)
        // A delay that the service requests is the least one.
        state.refreshFailed(
            isPermanent: false,
            requestedDelay: .seconds(600),
            uptime: .seconds(100),
            random: Self.half
        )
        #expect(state.pause(now: .seconds(110)) == .seconds(590))
        #expect(BearerState.pause(after: .max, RandomSource { .max }) <= .seconds(30))
    }

    @Test("a failed early refresh delays the next one, and an update resets the delay")
    func earlyRefresh() {
        var state = Self.state(Self.credential("a", goodFor: 3600))
        state.refreshFailed(isPermanent: false, uptime: .seconds(3540), random: Self.half)
        #expect(state.step(now: .seconds(3540.2)) == .use)
        #expect(state.step(now: .seconds(3540.3)) == .useAndRefresh)
        state.refreshFailed(isPermanent: true, uptime: .seconds(3541), random: Self.half)
        state.update(Self.credential("b"), wallTime: Self.wall, uptime: .seconds(3541))
        #expect(state.failures == 0 && state.notBefore == nil)
        #expect(state.reject("Bearer b") == .retry)
        #expect(state.step(now: .seconds(3541)) == .refresh(.rejected))
    }
}

@Suite("Challenges of a 401")
struct BearerChallengeTests {
    @Test(
        "another token may help unless a Bearer challenge reports an invalid request",
        arguments: [
            ([], true),
            (["Bearer"], true),
            ([#"Bearer realm="error=invalid_request""#], true),
            ([#"Bearer error="invalid_token""#], true),
            ([#"bearer realm="a", ERROR = invalid_token, error_description="x""#], true),
            ([#"Bearer error="insufficient_scope", scope="a""#], false),
            ([#"Bearer error_description="no", error="invalid_request""#], false),
            ([#"Basic realm="a", error="invalid_request""#], true),
            (["Basic", #"Bearer error="invalid_request""#], false),
            (["Bearer error="], true),
            ([#"Bearer realm="unfinished, error="invalid_request"#], true),
            ([#"Negotiate abc==, Bearer error="invalid_request""#], false),
            ([#"Bearer realm="a", DPoP error="invalid_request""#], true),
            (["Bearer error"], true),
        ] as [([String], Bool)]
    )
    func blame(challenges: [String], expected: Bool) {
        var head = ResponseHead(status: 401, fields: [:])
        var fields = head.fields
        fields[values: .wwwAuthenticate] = challenges
        head = ResponseHead(status: 401, fields: fields)
        #expect(BearerChallenge.blamesToken(head) == expected)
    }

    @Test("a challenge that is slow to compare is parsed in time that grows with its length", .timeLimit(.minutes(5)))
    func slowBlame() {
        // One comparison as `String` takes minutes.
        let marks = "i" + String(repeating: "\u{301}\u{316}", count: 400_000)
        let head = ResponseHead(status: 401, section: Array("WWW-Authenticate: Bearer error=\"\(marks)\"\r\n".utf8))
        #expect(!BearerChallenge.blamesToken(head))
    }
}
