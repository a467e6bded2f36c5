import BenchmarkHarness
import Cosm
import DecodingHarness
import Foundation

/// Points as CSV, read and written.
struct CSVComparison {
    private let points = 10_000

    /// Measures both, each point an operation; throws if what is written is not what was read.
    func run(rounds: Int) throws -> [OperationResult] {
        let document = Data(Documents.rows.utf8)
        let values = try CosmFormat.csv.decode([Datapoint].self, from: document)
        guard values.count == points, try values.encoded(as: .csv).data.count >= document.count - 1 else {
            throw DifferentValues(document: "cosm-csv")
        }
        var alternation = Alternation([
            (
                "reading a point",
                { count in
                    try repeating(count) { _ = try CosmFormat.csv.decode([Datapoint].self, from: document) }
                }
            ),
            ("writing a point", { count in try repeating(count) { _ = try values.encoded(as: .csv) } }),
        ])
        return try alternation.run(group: "cosm-csv", bytes: document.count, rounds: rounds).map { result in
            var result = result
            result.rounds = result.rounds.map { $0 / Double(points) }
            return result
        }
    }
}
