internal import Foundation
internal import HeliumJSON

/// A todo as the stores keep it.
struct TodoRecord: Hashable, Sendable {
    /// 24 lower-case hexadecimal characters.
    let id: String
    var name: String
    /// `checked` or `unchecked`.
    var status: String
    var group: String
    /// Milliseconds since 1970.
    let created: Int64
    /// Milliseconds since 1970.
    var lastModified: Int64
}

extension TodoRecord {
    /// The document that the routes answer with (§5.4).
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

    /// ISO 8601 with milliseconds and `Z`.
    private static func date(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

/// The field that a list of todos is sorted by (§5.4). Ties, and names of no field, keep the order of creation.
enum TodoOrder: String, Sendable {
    case id = "_id"
    case name, status, group, created, lastModified
}
