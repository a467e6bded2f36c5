import ConAir
import ConAirSQLite

// The sample of the documentation, compiled as it is shown.

private func cache(_ source: some TimeSeriesSource) throws {
    // sample
    let cache = try SQLiteSeriesCache(path: "conair.sqlite")
    let store = try TimeSeriesStore(source: source, step: .seconds(120), cache: cache)
    // end of sample
    _ = store
}
