internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The table of the objects to which files are attached (Docs/Protocols/AppNet.md §6.3).
struct AttachmentTable {
    /// The kinds of objects in responses.
    enum Kind: String, CaseIterable, Sendable {
        case message, poll, post

        /// The member of `attached_to` that contains their ids.
        var member: String { "\(rawValue)s" }
    }

    /// The maximum number of ids listed for each kind.
    private static let sample = 20

    /// An object that references a file.
    private struct Attachment: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_attachment"

        let file: Int64
        let kind: String
        let object: Int64
    }

    let database: Database

    static func createTables(_ database: Database) throws {
        try database.create(table: "appnet_attachment", options: [.strict, .withoutRowID]) { table in
            table.requiredColumns(.integer, "file")
            table.requiredColumns(.text, "kind")
            table.requiredColumns(.integer, "object")
            table.primaryKey(["file", "kind", "object"])
        }
        try database.create(indexOn: "appnet_attachment", columns: ["kind", "object"])
    }

    /// Stores the files that an object's stored annotations reference.
    func note(_ annotations: [JSONValue], of kind: Kind, _ object: Int64) throws {
        let table = FileTable(database: database)
        for grant in annotations.flatMap({ ReplacementValues.grants(in: $0["value"] ?? .null) }) {
            guard let file = try table.file(grantedBy: grant) else { continue }
            try Attachment(file: file, kind: kind.rawValue, object: object).insert(database, onConflict: .ignore)
        }
    }

    /// Deletes the references of a deleted object.
    func remove(_ kind: Kind, _ object: Int64) throws {
        try Attachment.delete(database, where: "kind = ? AND object = ?", [kind.rawValue, object])
    }

    /// Returns the objects to which a file is attached, latest first; `nil` if there are none.
    func attachments(of file: Int64) throws -> JSONValue? {
        let members = try Kind.allCases.compactMap { kind -> JSONObject.Element? in
            let ids = try Attachment.fetchAll(
                database,
                where: "file = ? AND kind = ? ORDER BY object DESC LIMIT \(Self.sample)",
                [file, kind.rawValue]
            ).map(\.object)
            return ids.isEmpty ? nil : (kind.member, .array(ids.map(JSONValue.id)))
        }
        guard !members.isEmpty else { return nil }
        return .object(members)
    }
}
