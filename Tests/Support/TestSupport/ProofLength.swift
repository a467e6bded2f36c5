import Foundation

/// The length of tests with random inputs, and their random numbers.
///
/// `make test` runs the quick form of such a test, with the same inputs each time. `make prove` lets it go on for
/// `HELIUM_PROOF_SECONDS`, with the inputs of another `HELIUM_PROOF_SEED`. The same two variables repeat a failed run. The
/// suites that use this have the tag `random`, by which `make prove` finds them.
package enum ProofLength {
    /// The time for which a test goes on after its quick form; `nil` for the quick form alone.
    package static let duration: Duration? = number("HELIUM_PROOF_SECONDS", Double.init).map { .seconds($0) }

    /// The number that selects other random numbers; `nil` for those of `make test`.
    package static let seed: UInt64? = number("HELIUM_PROOF_SEED", UInt64.init)

    /// Returns the numbers of a test's rounds: from 0 up to `count`, and further for as long as the test may go on.
    package static func rounds(_ count: Int) -> Rounds { Rounds(count: count) }

    /// Returns a number of repetitions: `count`, which takes about a second, or in a test that goes on as many times more
    /// as it has seconds.
    package static func count(_ count: Int) -> Int {
        count * (duration.map { max(1, Int($0 / .seconds(1))) } ?? 1)
    }

    /// Returns a number of repetitions: `count`, or `full` in a test that goes on for 20 seconds or more, as in
    /// `make prove`. In a shorter one, as in CI's slices, it is in between.
    package static func count(_ count: Int, full: Int) -> Int {
        guard let duration, full > count else { return count }
        return duration >= .seconds(20) ? full : min(full, Self.count(count))
    }

    /// Returns the seeds for the cases of a parameterized test, which together take about a second in the quick form. A case
    /// has its seed in its name.
    package static func seeds(_ count: Int) -> [UInt64] { (0..<UInt64(Self.count(count))).map(seed) }

    /// Returns the seed to use in the place of `own`.
    package static func seed(_ own: UInt64) -> UInt64 { own &+ (seed ?? 0) &* 0xD134_2543_DE82_EF95 }

    /// Returns the random numbers of a test whose own seed is `own`.
    package static func random(seed own: UInt64) -> SeededRandom { SeededRandom(seed: seed(own)) }

    /// The numbers of a test's rounds.
    package struct Rounds: Sequence, IteratorProtocol, Sendable {
        private let count: Int
        private let end = duration.map { ContinuousClock.now + $0 }
        private var round = 0

        fileprivate init(count: Int) { self.count = count }

        package mutating func next() -> Int? {
            guard round < count || end.map({ ContinuousClock.now < $0 }) == true else { return nil }
            defer { round += 1 }
            return round
        }
    }

    private static func number<Number>(_ name: String, _ parse: (String) -> Number?) -> Number? {
        guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return nil }
        guard let number = parse(text) else { preconditionFailure("invalid \(name) \"\(text)\": use a number") }
        return number
    }
}
