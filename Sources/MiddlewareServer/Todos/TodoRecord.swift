internal import Foundation
internal import GRDB
internal import HeliumJSON

/// A todo, which is a row of the store.
struct TodoRecord: Codable, Hashable, Sendable {
    /// The row's position in the order of creation; `nil` before it is inserted.
    var position: Int64?
    /// The todo's id: 24 lower-case hexadecimal characters.
    let id: String
    var name: String
    /// `checked` or `unchecked`.
    var status: String
    var group: String
    /// The time of creation in milliseconds since 1970.
    let created: Int64
    /// The time of the last change in milliseconds since 1970.
    var lastModified: Int64

    enum CodingKeys: String, CodingKey {
        case position, id, name, status
        case group = "group_name"
        case created
        case lastModified = "last_modified"
    }
}

extension TodoRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "middleware_todo"

    enum Columns {
        static let position = Column(CodingKeys.position)
    }
}

extension TodoRecord {
    /// The document of the todo in responses (Docs/Protocols/Middleware.md §5.4).
    var document: JSONValue {
        [
            "_id": .string(id),
            "name": .string(name),
            "status": .string(status),
            "group": .string(group),
            "created": .string(Self.date(created)),
            "lastModified": .string(Self.date(lastModified)),
        ]
    }

    /// Returns the time in ISO 8601 with milliseconds and `Z`.
    private static func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The field that a list of todos is sorted by (Docs/Protocols/Middleware.md §5.4).
enum TodoOrder: String, Sendable {
    case id = "_id"
    case name, status, group, created, lastModified

    /// The column. It comes from a fixed set and never from the client's text.
    var column: Column {
        switch self {
        case .id: Column(TodoRecord.CodingKeys.id)
        case .name: Column(TodoRecord.CodingKeys.name)
        case .status: Column(TodoRecord.CodingKeys.status)
        case .group: Column(TodoRecord.CodingKeys.group)
        case .created: Column(TodoRecord.CodingKeys.created)
        case .lastModified: Column(TodoRecord.CodingKeys.lastModified)
        }
    }
}
