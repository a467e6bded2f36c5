import BenchmarkHarness
import Foundation

let isQuick = ProcessInfo.processInfo.environment["HELIUM_BENCH_QUICK"] != nil
let rounds = isQuick ? 3 : 7
var results = try SettingComparison.run(rounds: rounds)
var comparisons: [TreeComparison] = []
for count in isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000] {
    let comparison = try TreeComparison(count: count)
    results += try comparison.run(rounds: rounds)
    if count == 10_000 { results.append(comparison.memory(rounds: rounds)) }
    comparisons.append(comparison)
}
results += try GrowthComparison.run(comparisons, rounds: rounds)
print(results.json)
