internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A registered device, which is a row of the store.
struct DeviceRecord: Codable, Hashable, Sendable {
    /// The state of a device. New devices are inactive until their first valid key.
    enum Status: String, Codable, Sendable {
        case inactive, active, disabled
    }

    /// The device id: 32 lower-case hexadecimal characters.
    let id: String
    var status: Status
    /// The validated description: a JSON object.
    @JSONText var description: JSONValue
    /// The time of registration in milliseconds since 1970.
    var created: Int64
    /// The time of the last change in milliseconds since 1970. Use refreshes it at most once in 24 hours.
    var lastModified: Int64
    /// The client that registered the device (`AddressShare.client(of:)`), until its first valid key; then empty.
    var client = ""

    enum CodingKeys: String, CodingKey {
        case id, status, description, created
        case lastModified = "last_modified"
        case client
    }
}

extension DeviceRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "middleware_device"

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let status = Column(CodingKeys.status)
        static let lastModified = Column(CodingKeys.lastModified)
        static let client = Column(CodingKeys.client)
    }
}

extension DeviceRecord.Status: DatabaseValueConvertible {
    /// Decodes a status. An invalid status in the database counts as `disabled`, so that it can't enable a disabled
    /// device.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .disabled }
    }
}

extension DeviceRecord {
    /// Returns the record after a valid key at `now`, or `nil` if nothing changes (Docs/Protocols/Middleware.md §1.5).
    func used(at now: Int64) -> DeviceRecord? {
        let day: Int64 = 24 * 3600 * 1000
        guard status == .inactive || now - lastModified >= day else { return nil }
        var copy = self
        if status == .inactive { copy.status = .active }
        copy.client = ""
        copy.lastModified = now
        return copy
    }

    /// Returns whether the periodic clean-up of the reference server would have deleted the device by `now`: inactive
    /// for an hour, or unused for 365 days (Docs/Protocols/Middleware.md §3.1).
    func isExpired(at now: Int64) -> Bool {
        let hour: Int64 = 3600 * 1000
        return (status == .inactive && now - created >= hour) || now - lastModified >= 365 * 24 * hour
    }
}
