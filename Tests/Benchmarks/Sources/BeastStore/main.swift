import BenchmarkHarness
import Foundation

let isQuick = ProcessInfo.processInfo.environment["HELIUM_BENCH_QUICK"] != nil
let store = try Store()
defer { store.remove() }
let results =
    switch CommandLine.arguments.dropFirst().first {
    case "lookup":
        try await LookupMeasurement(store: store, count: isQuick ? 50_000 : 1_000_000, rounds: isQuick ? 5 : 31).run()
    case "channel":
        try await ChannelMeasurement(store: store, count: isQuick ? 10_000 : 100_000, rounds: isQuick ? 5 : 31).run()
    case "sync": try await SyncMeasurement(store: store, count: isQuick ? 10_000 : 100_000).run()
    default:
        try await IngestMeasurement(store: store, count: isQuick ? 4_000 : 20_000, rounds: isQuick ? 3 : 7).run()
    }
print(results.json)
