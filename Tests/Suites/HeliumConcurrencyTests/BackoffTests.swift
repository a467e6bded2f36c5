import HeliumConcurrency
import Testing

@Suite("The ceiling of a back-off")
struct BackoffCeilingTests {
    @Test(
        "the maximum of a back-off doubles with each failure up to its limit",
        arguments: [(1, 100), (2, 200), (3, 400), (4, 500), (Int.max, 500)]
    )
    func doubling(failures: Int, milliseconds: Int) {
        let ceiling = Backoff.ceiling(
            afterFailures: failures,
            first: .milliseconds(100),
            maximum: .milliseconds(500)
        )
        #expect(ceiling == .milliseconds(milliseconds))
    }

    @Test(
        "the maximum of a back-off is never negative, and does not overflow",
        arguments: [Duration.seconds(-1), .zero, .seconds(1), .seconds(Int64.max / 4)]
    )
    func extremes(delay: Duration) {
        for failures in [Int.min, 0, 1, 2, 1000, .max] {
            let ceiling = Backoff.ceiling(afterFailures: failures, first: delay, maximum: delay)
            #expect(ceiling >= .zero && ceiling <= max(delay, .zero))
        }
    }
}
