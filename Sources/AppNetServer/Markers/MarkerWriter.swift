internal import HeliumServerKit

/// Sets the caller's stream markers and records the events (Docs/Protocols/AppNet.md §2.3).
struct MarkerWriter: RequestScoped {
    /// The maximum number of markers of a user.
    private static let maximumMarkers = 10_000

    let context: AppNetContext

    /// Sets a marker. `last_read_id` never decreases unless `resets` is `true`.
    @discardableResult
    func set(_ name: String, item: Int64, percentage: Int = 0, resets: Bool = false) throws -> StreamMarker {
        let me = try context.me()
        let old = try tables.markers.marker(name, of: me)
        try require(old != nil || tables.markers.count(of: me) < Self.maximumMarkers, or: .full("markers"))
        let version = try tables.settings.next("marker version", above: old?.versionNumber ?? 0)
        let marker = StreamMarker(
            user: me,
            name: name,
            item: item,
            lastRead: resets ? item : max(old?.lastRead ?? 0, item),
            percentage: percentage,
            updated: context.now,
            version: String(version, radix: StreamMarker.versionRadix)
        )
        try tables.markers.save(marker)
        context.effects.append(
            AppNetEvent(kind: .streamMarker, object: 0, channel: MarkerName.channel(name), actor: me, marker: name)
        )
        return marker
    }
}
