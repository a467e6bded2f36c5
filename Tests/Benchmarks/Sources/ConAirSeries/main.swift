import BenchmarkHarness
import Foundation

let isQuick = ProcessInfo.processInfo.environment["HELIUM_BENCH_QUICK"] != nil
let rounds = isQuick ? 3 : 7
print((try SeriesMeasurement().run(rounds: rounds) + (try await ReplyMeasurement().run(rounds: rounds))).json)
