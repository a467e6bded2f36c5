internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A registered device, which is a row of the store.
struct DeviceRecord: Codable, Hashable, Sendable {
    /// The state of a device: new ones are inactive until their first valid key.
    enum Status: String, Codable, Sendable {
        case inactive, active, disabled
    }

    /// 32 lower-case hexadecimal characters.
    let id: String
    var status: Status
    /// The validated description: a JSON object.
    @JSONText var description: JSONValue
    /// Milliseconds since 1970.
    var created: Int64
    /// Milliseconds since 1970; refreshed by use at most once in 24 hours.
    var lastModified: Int64

    enum CodingKeys: String, CodingKey {
        case id, status, description, created
        case lastModified = "last_modified"
    }
}

extension DeviceRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "middleware_device"

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let lastModified = Column(CodingKeys.lastModified)
    }
}

extension DeviceRecord.Status: DatabaseValueConvertible {
    /// A status that another program wrote badly must not open a closed device.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .disabled }
    }
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
