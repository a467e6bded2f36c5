/// Checks a condition repeatedly until it is true.
///
/// A test's time limit does not end code that ignores cancellation. A loop that waits for a condition that never
/// becomes true would hang until the whole run is stopped. This function fails its test instead, and reports the
/// location.
///
/// - Parameters:
///   - limit: The maximum waiting time. Default: 60 s, which no loaded machine needs.
///   - condition: The condition that has to become true.
/// - Throws: ``NeverSo`` when the time has passed, `CancellationError`, and the errors of `condition`.
package nonisolated(nonsending) func eventually(
    within limit: Duration = .seconds(60),
    file: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var looks = 0
    while try await !condition() {
        guard ContinuousClock.now < end else { throw NeverSo(limit: limit, place: "\(file):\(line)") }
        try Task.checkCancellation()
        looks += 1
        // Mostly it is so at once, or takes long.
        if looks < 1000 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// The error of a condition that never became true.
package struct NeverSo: Error, CustomStringConvertible {
    let limit: Duration
    let place: String

    package var description: String { "\(place): what was waited for was not so within \(limit)" }
}
