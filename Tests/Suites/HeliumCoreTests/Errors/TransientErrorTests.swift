import HTTPTypes
import HeliumCore
import Testing

@Suite("Transient errors")
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
        "the kind of an error decides whether it is transient",
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
        "the status of a response decides whether its error is transient",
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

    @Test(
        "a full queue is a transient error, and a limit of a response is not",
        arguments: [Ceiling.queuedRequests, .bodyBytes]
    )
    func ceiling(ceiling: Ceiling) {
        var error = Self.error(.ceilingExceeded)
        error[fact: \.ceiling] = ceiling
        #expect(error.isTransient == (ceiling == .queuedRequests))
    }

    @Test(
        "the error of a registration is transient if its cause is",
        arguments: [FailureKind.connectionLost, .tlsFailed]
    )
    func registration(cause: FailureKind) {
        let error = Self.error(.registrationFailed, underlying: Self.error(cause))
        #expect(error.isTransient == (cause == .connectionLost))
        #expect(!Self.error(.registrationFailed).isTransient)
    }
}
