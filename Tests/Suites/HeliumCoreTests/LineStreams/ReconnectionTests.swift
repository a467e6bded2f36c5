import HTTPTypes
import HeliumCore
import Testing

@Suite("Reconnection of event streams")
struct ReconnectionTests {
    private func failure(_ kind: FailureKind = .connectionLost) -> HeliumError {
        HeliumError(
            kind,
            request: RequestSummary(method: .get, url: "https://api.example.com/"),
            delivery: .answered,
            message: "lost"
        )
    }

    private func failure(status: Int, fields: HTTPFields = [:]) -> HeliumError {
        var error = failure(.unacceptableStatus)
        error[fact: \.head] = ResponseHead(status: status, fields: fields)
        return error
    }

    @Test("an event stream reconnects after the server's delay, or three seconds")
    func ordinaryEnd() {
        var reconnection = Reconnection(.standard)
        for retry in [nil, Duration.seconds(5), .seconds(120)] {
            reconnection.received()
            #expect(reconnection.ended(retry: retry, random: 0.9) == .wait(retry ?? .seconds(3)))
            #expect(reconnection.failures == 0)
        }
    }

    @Test("the delay before a reconnection has a minimum")
    func shortestDelay() {
        var reconnection = Reconnection(.standard)
        reconnection.received()
        #expect(reconnection.ended(retry: .zero, random: 0) == .wait(.milliseconds(100)))
    }

    @Test(
        "the delay before a reconnection doubles with each failure up to the maximum, with jitter",
        arguments: [
            (0, [3, 3, 3, 3, 3, 3, 3]), (0.5, [3, 4.5, 7.5, 13.5, 25.5, 31.5, 31.5]), (1, [3, 6, 12, 24, 48, 60, 60]),
        ] as [(Double, [Double])]
    )
    func backOff(random: Double, seconds: [Double]) {
        var reconnection = Reconnection(.standard)
        for (index, seconds) in seconds.enumerated() {
            // Breaking off and ending without a byte count alike.
            let step =
                index % 2 == 0
                ? reconnection.failed(failure(), retry: nil, now: .zero, random: random)
                : reconnection.ended(retry: nil, random: random)
            #expect(step == .wait(.seconds(seconds)))
            #expect(reconnection.failures == index + 1)
        }
    }

    @Test("a reconnection never waits less than the server asks")
    func longRetry() {
        var reconnection = Reconnection(.standard)
        for _ in 0..<5 {
            #expect(reconnection.failed(failure(), retry: .seconds(90), now: .zero, random: 1) == .wait(.seconds(90)))
        }
    }

    @Test("a received byte resets the failures of an event stream")
    func recovery() {
        var reconnection = Reconnection(.standard)
        for _ in 0..<4 { _ = reconnection.failed(failure(), retry: nil, now: .zero, random: 1) }
        reconnection.received()
        #expect(reconnection.failures == 0)
        #expect(reconnection.failed(failure(), retry: nil, now: .zero, random: 1) == .wait(.seconds(3)))
        #expect(reconnection.failures == 1)
    }

    @Test("an event stream gives up after the maximum of failures")
    func maximum() {
        var policy = ReconnectPolicy()
        policy.maximumFailures = 3
        var breaking = Reconnection(policy)
        var silent = Reconnection(policy)
        for _ in 1...2 {
            #expect(breaking.failed(failure(), retry: nil, now: .zero, random: 0) == .wait(.seconds(3)))
            #expect(silent.ended(retry: nil, random: 0) == .wait(.seconds(3)))
        }
        #expect(breaking.failed(failure(), retry: nil, now: .zero, random: 0) == .fail)
        #expect(silent.ended(retry: nil, random: 0) == .fail)
    }

    @Test("a connection that ends without a byte is a failure, also after one that worked")
    func silenceAfterLife() {
        var policy = ReconnectPolicy()
        policy.maximumFailures = 1
        var reconnection = Reconnection(policy)
        reconnection.received()
        #expect(reconnection.ended(retry: nil, random: 0) == .wait(.seconds(3)))
        #expect(reconnection.ended(retry: nil, random: 0) == .fail)
    }

    @Test("an event stream without a maximum reconnects without end or overflow")
    func noMaximum() {
        var policy = ReconnectPolicy()
        policy.maximumFailures = nil
        var reconnection = Reconnection(policy)
        for _ in 0..<1000 { _ = reconnection.failed(failure(), retry: nil, now: .zero, random: 1) }
        #expect(reconnection.failed(failure(), retry: nil, now: .zero, random: 7) == .wait(.seconds(60)))
    }

    @Test("an event stream that never reconnects ends with its connection")
    func never() {
        var reconnection = Reconnection(.never)
        reconnection.received()
        #expect(reconnection.ended(retry: .seconds(1), random: 0) == .finish)
        #expect(reconnection.failed(failure(), retry: nil, now: .zero, random: 0) == .fail)
    }

    @Test("an event stream reconnects after transient failures only")
    func kinds() {
        let passing: Set<FailureKind> = [
            .connectionFailed, .connectionLost, .hostNotFound, .malformedResponse, .timedOut, .transportFailed,
        ]
        let lasting: [FailureKind] = [
            .cancelled, .clientClosed, .invalidRequest, .invalidConfiguration, .tlsFailed, .ceilingExceeded,
            .decodingFailed, .authorizationFailed, .registrationFailed, .tokenStoreFailed, .redirectRefused,
        ]
        for kind in Array(passing) + lasting {
            var reconnection = Reconnection(.standard)
            let step = reconnection.failed(failure(kind), retry: nil, now: .zero, random: 0)
            #expect(step == (passing.contains(kind) ? .wait(.seconds(3)) : .fail), "\(kind)")
        }
    }

    @Test("an event stream reconnects after transient statuses only", arguments: 400..<600)
    func statuses(status: Int) {
        var reconnection = Reconnection(.standard)
        let passes = [408, 425, 429, 500, 502, 503, 504].contains(status)
        let step = reconnection.failed(failure(status: status), retry: nil, now: .zero, random: 0)
        #expect(step == (passes ? .wait(.seconds(3)) : .fail))
    }

    @Test(
        "a reconnection waits as long as Retry-After asks, an hour at most",
        arguments: [("20", 20), ("1", 3), ("999999999999999999999999", 3600), ("soon", 3), ("", 3)]
    )
    func retryAfter(value: String, seconds: Int) {
        var reconnection = Reconnection(.standard)
        let error = failure(status: 503, fields: [.retryAfter: value])
        #expect(reconnection.failed(error, retry: nil, now: .zero, random: 0) == .wait(.seconds(seconds)))
    }
}
