internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// Which objects files are attached to (AppNet.md §6.3).
struct AttachmentTable {
    /// The kinds of objects that are told.
    enum Kind: String, CaseIterable, Sendable {
        case message, poll, post

        /// The member of `attached_to` that has their ids.
        var member: String { "\(rawValue)s" }
    }

    /// The maximum number of ids listed for each kind.
    private static let sample = 20

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_attachment", options: [.strict, .withoutRowID]) { table in
            table.column("file", .integer).notNull()
            table.column("kind", .text).notNull()
            table.column("object", .integer).notNull()
            table.primaryKey(["file", "kind", "object"])
        }
        try database.create(indexOn: "appnet_attachment", columns: ["kind", "object"])
    }

    /// Keeps the files that an object's stored annotations refer to.
    func note(_ annotations: [JSONValue], of kind: Kind, _ object: Int64) throws {
        for grant in annotations.flatMap({ ReplacementValues.grants(in: $0["value"] ?? .null) }) {
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO appnet_attachment (file, kind, object)
                    SELECT file, ?, ? FROM appnet_file_grant WHERE token = ?
                    """,
                arguments: [kind.rawValue, object, grant]
            )
        }
    }

    /// Forgets an object that is deleted.
    func remove(_ kind: Kind, _ object: Int64) throws {
        try database.execute(
            sql: "DELETE FROM appnet_attachment WHERE kind = ? AND object = ?",
            arguments: [kind.rawValue, object]
        )
    }

    /// The objects that a file is attached to, the latest first; `nil` where there are none.
    func attachments(of file: Int64) throws -> JSONValue? {
        let members = try Kind.allCases.compactMap { kind -> JSONObject.Element? in
            let ids = try Int64.fetchAll(
                database,
                sql: """
                    SELECT object FROM appnet_attachment WHERE file = ? AND kind = ? ORDER BY object DESC
                    LIMIT \(Self.sample)
                    """,
                arguments: [file, kind.rawValue]
            )
            return ids.isEmpty ? nil : (kind.member, .array(ids.map(JSONValue.id)))
        }
        guard !members.isEmpty else { return nil }
        return .object(members)
    }
}

extension AppNetCall {
    var attachments: AttachmentTable { AttachmentTable(database: database) }
}
