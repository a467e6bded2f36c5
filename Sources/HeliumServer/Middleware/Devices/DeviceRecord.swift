internal import HeliumJSON

/// A registered device as the stores keep it.
struct DeviceRecord: Hashable, Sendable {
    /// Where a device stands: new ones are inactive until their first good key.
    enum Status: String, Sendable {
        case inactive, active, disabled
    }

    /// 32 lower-case hexadecimal characters.
    let id: String
    var status: Status
    /// The validated description: a JSON object.
    var description: JSONValue
    /// Milliseconds since 1970.
    var created: Int64
    /// Milliseconds since 1970; refreshed by use at most once in 24 hours.
    var lastModified: Int64
}

extension DeviceRecord {
    /// The record after a good key at `now`, or nil where nothing changes (§1.5).
    func used(at now: Int64) -> DeviceRecord? {
        let day: Int64 = 24 * 3600 * 1000
        guard status == .inactive || now - lastModified >= day else { return nil }
        var copy = self
        if status == .inactive { copy.status = .active }
        copy.lastModified = now
        return copy
    }

    /// Whether the nightly work of the reference would have deleted it by `now`: inactive for an hour, or unused for
    /// 365 days (§3.1).
    func isExpired(at now: Int64) -> Bool {
        let hour: Int64 = 3600 * 1000
        return (status == .inactive && now - created >= hour) || now - lastModified >= 365 * 24 * hour
    }
}
