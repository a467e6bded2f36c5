import HTTPTypes
import HeliumCore
import Testing

@Suite("Whether another attempt may help")
struct TransientErrorTests {
    private static func error(_ kind: FailureKind, underlying: (any Error)? = nil) -> HeliumError {
        HeliumError(
            kind,
            request: RequestSummary(method: .get, url: "https://a.test/"),
            delivery: .notSent,
            message: "",
            underlying: underlying
        )
    }

    @Test(
        "is told by the kind",
        arguments: [
            (FailureKind.connectionFailed, true), (.connectionLost, true), (.hostNotFound, true), (.timedOut, true),
            (.malformedResponse, true), (.transportFailed, true), (.closedByPeer, true), (.protocolViolated, true),
            (.tlsFailed, false), (.invalidConfiguration, false), (.clientClosed, false), (.ceilingExceeded, false),
            (.decodingFailed, false), (.cancelled, false), (.authorizationFailed, false),
            (FailureKind(rawValue: "new"), false),
        ]
    )
    func kind(kind: FailureKind, isTransient: Bool) { #expect(Self.error(kind).isTransient == isTransient) }

    @Test(
        "is told by the status",
        arguments: [
            (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true), (400, false),
            (401, false), (404, false), (409, false), (501, false), (505, false),
        ]
    )
    func status(status: Int, isTransient: Bool) {
        var error = Self.error(.unacceptableStatus)
        error[fact: \.head] = ResponseHead(status: status, fields: [:])
        #expect(error.isTransient == isTransient)
    }

    @Test("is so for a full queue, and for no ceiling of a response", arguments: [Ceiling.queuedRequests, .bodyBytes])
    func ceiling(ceiling: Ceiling) {
        var error = Self.error(.ceilingExceeded)
        error[fact: \.ceiling] = ceiling
        #expect(error.isTransient == (ceiling == .queuedRequests))
    }

    @Test("is that of its cause for a registration", arguments: [FailureKind.connectionLost, .tlsFailed])
    func registration(cause: FailureKind) {
        let error = Self.error(.registrationFailed, underlying: Self.error(cause))
        #expect(error.isTransient == (cause == .connectionLost))
        #expect(!Self.error(.registrationFailed).isTransient)
    }
}
