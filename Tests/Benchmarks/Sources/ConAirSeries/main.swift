import BenchmarkHarness
import Foundation

let isQuick = ProcessInfo.processInfo.environment["HELIUM_BENCH_QUICK"] != nil
let rounds = isQuick ? 3 : 7
switch CommandLine.arguments.dropFirst().first {
case "serve": try await PollingMeasurement.serve()
case "polling": print(try await PollingMeasurement().run(rounds: rounds).json)
default: print((try SeriesMeasurement().run(rounds: rounds) + (try await ReplyMeasurement().run(rounds: rounds))).json)
}
