import HeliumCore
import Testing

@testable import HeliumKit

@Suite("Reaction to a refused key")
struct RejectionDecisionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var codes: Set<ByteText>
        var hasServerTime = true
        var isTokenCurrent = true
        var isTokenConfirmed = false
        var reasons: [RetryReason] = []
        var expected: RejectionDecision

        var testDescription: String {
            "\(codes.sorted()) time \(hasServerTime) current \(isTokenCurrent) confirmed \(isTokenConfirmed) \(reasons)"
        }
    }

    @Test(
        "the reaction to a refused key is that of Docs/Protocols/Middleware.md",
        arguments: [
            Case(codes: ["KeyExpired"], expected: .correctClock),
            Case(codes: ["KeyExpired"], hasServerTime: false, expected: .accept),
            Case(codes: ["KeyExpired"], reasons: [.clockCorrected], expected: .accept),
            Case(codes: ["KeyExpired"], reasons: [.credentialReplaced], expected: .correctClock),
            Case(codes: ["DeviceIdInvalid"], expected: .replaceToken),
            Case(codes: ["DeviceIdInvalid"], isTokenConfirmed: true, expected: .replaceToken),
            Case(codes: ["DeviceIdInvalid"], reasons: [.clockCorrected], expected: .replaceToken),
            Case(
                codes: ["DeviceIdInvalid"],
                isTokenConfirmed: true,
                reasons: [.credentialReplaced],
                expected: .accept
            ),
            // A token that another process has stored.
            Case(codes: ["DeviceIdInvalid"], reasons: [.credentialReplaced], expected: .replaceToken),
            Case(
                codes: ["DeviceIdInvalid"],
                reasons: [.credentialReplaced, .credentialReplaced],
                expected: .accept
            ),
            Case(codes: ["DeviceIdInvalid"], isTokenCurrent: false, expected: .useNewToken),
            // That token, if another call has replaced it already.
            Case(
                codes: ["DeviceIdInvalid"],
                isTokenCurrent: false,
                reasons: [.credentialReplaced],
                expected: .useNewToken
            ),
            Case(
                codes: ["DeviceIdInvalid"],
                isTokenCurrent: false,
                isTokenConfirmed: true,
                reasons: [.credentialReplaced],
                expected: .useNewToken
            ),
            Case(
                codes: ["DeviceIdInvalid"],
                isTokenCurrent: false,
                reasons: [.credentialReplaced, .credentialReplaced],
                expected: .accept
            ),
            Case(codes: ["KeyInvalid"], expected: .replaceToken),
            Case(codes: ["KeyInvalid"], isTokenConfirmed: true, expected: .accept),
            Case(codes: ["KeyInvalid"], isTokenCurrent: false, isTokenConfirmed: true, expected: .useNewToken),
            Case(codes: ["Other", "DeviceIdInvalid"], expected: .replaceToken),
            Case(codes: ["NoUserIsLoggedIn"], expected: .accept),
            Case(codes: [], expected: .accept),
        ]
    )
    func decisions(_ test: Case) {
        let decision = RejectionDecision(
            .init(
                codes: test.codes,
                hasServerTime: test.hasServerTime,
                isTokenCurrent: test.isTokenCurrent,
                isTokenConfirmed: test.isTokenConfirmed,
                reasons: test.reasons
            )
        )
        #expect(decision == test.expected)
    }
}
