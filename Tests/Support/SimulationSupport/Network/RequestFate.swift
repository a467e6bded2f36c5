/// The fate of a request in a ``SimulatedNetwork``.
package enum RequestFate: Hashable, Sendable {
    /// It arrives, and its response comes back in time.
    case delivered
    /// It fails before it leaves.
    case notSent
    /// It arrives, and the response is lost.
    case responseLost
    /// It arrives after the client's time limit, perhaps after later requests.
    case late
    /// It arrives, and once more later.
    case doubled
    /// The client gets 500 or 503, without an effect or after it.
    case serverError(status: Int, hasEffect: Bool)
    /// The client gets 429 with `Retry-After`. There is no effect.
    case rateLimited(seconds: Int)
    /// It arrives, and the response is slow: perhaps slower than the client's time limit.
    case slowResponse

    /// The name of the kind, as it is counted: that of the case, or the status of a server's error.
    package var kind: String {
        guard case .serverError(let status, let hasEffect) = self else { return String("\(self)".prefix { $0 != "(" }) }
        return hasEffect ? "\(status) after the effect" : "\(status)"
    }

    /// Every kind once, for tests that need all of them.
    package static let all: [Self] = [
        .delivered, .notSent, .responseLost, .late, .doubled, .serverError(status: 500, hasEffect: false),
        .serverError(status: 503, hasEffect: true), .rateLimited(seconds: 30), .slowResponse,
    ]
}

/// The frequency of each fate of requests.
package struct NetworkWeather: Sendable {
    /// The fates but ``RequestFate/delivered``, and how many requests of a thousand have them.
    private let faults: [(fate: RequestFate, share: Int)]
    /// The number of requests per thousand during which the wall clock jumps.
    let jumps: Int

    /// - Parameters:
    ///   - faults: The fates and how many requests of a thousand have them. All others are delivered.
    ///   - jumps: How many requests of a thousand see the device's wall clock jump.
    package init(_ faults: [(fate: RequestFate, share: Int)], jumps: Int = 0) {
        self.faults = faults
        self.jumps = jumps
    }

    /// The name of a jump of the wall clock, as it is counted.
    package static let jump = "clockJump"

    /// Everything arrives.
    package static let fair = Self([])

    /// A third of all requests have a fault, and one of fifty a clock that jumps.
    package static let foul = Self(
        RequestFate.all.dropFirst().map { ($0, $0 == .notSent ? 60 : 40) },
        jumps: 20
    )

    /// The fate of a number in 0 ..< 1000.
    func fate(_ number: Int) -> RequestFate {
        var rest = number
        for (fate, share) in faults {
            if rest < share { return fate }
            rest -= share
        }
        return .delivered
    }
}
