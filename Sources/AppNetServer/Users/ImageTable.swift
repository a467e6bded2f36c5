internal import Foundation
internal import GRDB

/// The stored pictures.
struct ImageTable {
    let database: Database

    func insert(_ bytes: [UInt8], _ header: ImageHeader) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO appnet_image (mime_type, width, height, bytes) VALUES (?, ?, ?, ?)",
            arguments: [header.mediaType, header.width, header.height, Data(bytes)]
        )
        return database.lastInsertedRowID
    }

    func picture(_ id: Int64) throws -> (bytes: [UInt8], mediaType: String)? {
        try Row.fetchOne(database, sql: "SELECT mime_type, bytes FROM appnet_image WHERE id = ?", arguments: [id])
            .map { (Array($0["bytes"] as Data), $0["mime_type"]) }
    }

    func delete(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_image WHERE id = ?", arguments: [id])
    }
}
