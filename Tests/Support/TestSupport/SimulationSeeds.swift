/// The seeds of a suite that simulates its subject in random orders: 200, and 4,000 in `make prove`. They are shared out
/// over the cases of a parameterized test.
package enum SimulationSeeds {
    /// The number of seeds of a case.
    private static let share = 50

    /// The numbers of the cases.
    package static let cases = 0..<ProofLength.count(4, full: 80)

    /// Simulates with the seeds of a case until faults are found.
    ///
    /// - Returns: The faults of the first seed that has some; empty if none has.
    package static func faults(
        of number: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ simulate: (UInt64) async throws -> [String]
    ) async throws -> [String] {
        for seed in number * share..<(number + 1) * share {
            let faults = try await simulate(ProofLength.seed(UInt64(seed)))
            if !faults.isEmpty { return faults }
        }
        return []
    }
}
