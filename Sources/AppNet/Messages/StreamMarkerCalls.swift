internal import HeliumCore

/// The call for stream markers (Docs/Protocols/AppNet.md §2.3), which synchronize reading positions between a user's
/// devices.
public struct StreamMarkerCalls: Sendable {
    let client: AppNetClient

    /// The maximum number of markers in one call on pnut.io (Docs/Protocols/AppNet.md §6.2).
    private static let maximumPnutMarkers = 10

    /// Updates the reading position in a list.
    ///
    /// `lastReadID` never moves backward unless it is reset. Update the marker when scrolling has stopped for some
    /// seconds.
    ///
    /// `POST posts/marker`; a user token. pnut.io: `POST markers`.
    ///
    /// - Parameters:
    ///   - marker: The marker. `name` is that of the list's ``Page/marker``, `id` is the id of the topmost item, and
    ///     `percentage` is the scroll position within that item.
    ///   - resetsReadID: Whether `lastReadID` may move backward. The default is `false`.
    /// - Returns: The stored marker.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func update(_ marker: StreamMarker, resetsReadID: Bool = false) async throws -> StreamMarker {
        guard client.dialect == .appNet else {
            guard let stored = try await update([marker], resetsReadID: resetsReadID).first else {
                throw AppNetError(.undecodable, "the response has no marker", delivery: .answered)
            }
            return stored
        }
        try Self.check(marker)
        return try await client.value(
            CallRequest(.updateMarker, query: Self.query(resetsReadID), body: .object(marker.sent()))
        )
    }

    /// Updates the reading positions in several lists. On pnut.io, more than 10 markers are split over several calls.
    ///
    /// `POST posts/marker`; a user token. pnut.io: `POST markers`.
    ///
    /// - Returns: The stored markers.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func update(_ markers: [StreamMarker], resetsReadID: Bool = false) async throws -> [StreamMarker] {
        for marker in markers { try Self.check(marker) }
        let size = client.dialect == .appNet ? max(1, markers.count) : Self.maximumPnutMarkers
        var stored: [StreamMarker] = []
        for start in stride(from: 0, to: markers.count, by: size) {
            let batch = markers[start..<min(start + size, markers.count)].map { $0.sent() }
            stored += try await client.value(
                CallRequest(.updateMarker, query: Self.query(resetsReadID), body: .object(batch)),
                as: [StreamMarker].self
            )
        }
        return stored
    }

    private static func check(_ marker: StreamMarker) throws(AppNetError) {
        guard marker.name?.isEmpty == false, marker.id != nil else {
            throw AppNetError(.invalidRequest, "a marker needs the list's name and an id")
        }
        if let percentage = marker.percentage, !(0...100).contains(percentage) {
            throw AppNetError(.invalidRequest, "a marker's percentage must be 0 to 100, not \(percentage)")
        }
    }

    private static func query(_ resetsReadID: Bool) -> QueryParameters {
        resetsReadID ? ["reset_read_id": "1"] : QueryParameters()
    }
}
