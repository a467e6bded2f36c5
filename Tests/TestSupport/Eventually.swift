/// Looks again and again until something is so.
///
/// A test's time limit ends nothing that does not listen to cancellation: a loop of its own that waits in vain would stand
/// still until somebody ends the whole run. This one fails its test, and says where.
///
/// - Parameters:
///   - limit: For how long. Default: 60 s, which no loaded machine needs.
///   - condition: What shall be so.
/// - Throws: ``NeverSo`` when the time is over, `CancellationError`, and what `condition` throws.
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

/// What a test waited for did not happen.
package struct NeverSo: Error, CustomStringConvertible {
    let limit: Duration
    let place: String

    package var description: String { "\(place): what was waited for was not so within \(limit)" }
}
