import BenchmarkHarness

/// Compares what an object costs in trees of several sizes. Each operation runs on all sizes in turn, so that the ratios
/// hold.
enum GrowthComparison {
    private static let operations: [(name: String, run: @Sendable (TreeComparison) throws -> Void)] = [
        ("objects in a scope", { $0.attach() }), ("objects to a recording root", { $0.record() }),
        ("a state to a tree", { try $0.read() }), ("a tree to text", { $0.write() }),
    ]

    static func run(_ trees: [TreeComparison], rounds: Int) throws -> [OperationResult] {
        var results: [OperationResult] = []
        for operation in operations {
            let candidates: [(name: String, run: Alternation.Operation)] = trees.map { tree in
                (
                    name: "\(operation.name), an object of \(tree.count)",
                    run: { count in try repeating(count) { try operation.run(tree) } }
                )
            }
            var alternation = Alternation(candidates)
            let measured = try alternation.run(group: "jetstream-growth", bytes: 0, rounds: rounds)
            for (result, tree) in zip(measured, trees) {
                var result = result
                result.rounds = result.rounds.map { $0 / Double(tree.count) }
                results.append(result)
            }
        }
        return results
    }
}
