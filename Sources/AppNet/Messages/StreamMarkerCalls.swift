internal import HeliumCore

/// The call of stream markers (§2.3): how far a list was read, on all of a user's devices.
public struct StreamMarkerCalls: Sendable {
    let client: AppNetClient

    /// The most markers of one call on pnut.io (§6.2).
    private static let maximumPnutMarkers = 10

    /// Says how far a list was read. A marker never goes back, unless it is reset. Update it when scrolling has stopped
    /// for some seconds.
    ///
    /// `POST posts/marker`; a user token. pnut.io: `POST markers`.
    ///
    /// - Parameters:
    ///   - marker: `name`, from ``Page/marker`` of the list, `id` of the topmost item, and `percentage` of it that is
    ///     seen.
    ///   - resetsReadID: Whether `lastReadID` goes back too. Default: no.
    /// - Returns: The marker as stored.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func update(_ marker: StreamMarker, resetsReadID: Bool = false) async throws -> StreamMarker {
        guard client.dialect == .appNet else {
            guard let stored = try await update([marker], resetsReadID: resetsReadID).first else {
                throw AppNetError(.undecodable, "the answer has no marker", delivery: .answered)
            }
            return stored
        }
        try Self.check(marker)
        return try await client.value(
            CallRequest(.updateMarker, query: Self.query(resetsReadID), body: .object(marker.sent()))
        )
    }

    /// Says how far several lists were read. On pnut.io more than 10 take several calls.
    ///
    /// `POST posts/marker`; a user token. pnut.io: `POST markers`.
    ///
    /// - Returns: The markers as stored.
    /// - Throws: ``AppNetError``; `CancellationError`.
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
            throw AppNetError(.invalidRequest, "a marker's percentage is 0 to 100, not \(percentage)")
        }
    }

    private static func query(_ resetsReadID: Bool) -> QueryParameters {
        resetsReadID ? ["reset_read_id": "1"] : QueryParameters()
    }
}
