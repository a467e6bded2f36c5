internal import Foundation
internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A picture of a user (Docs/Protocols/AppNet.md §3.3, §3.4).
enum UserImage: String, CaseIterable, Sendable {
    case avatar, cover

    /// The size of the default picture.
    var defaultSize: (width: Int, height: Int) {
        switch self {
        case .avatar: (200, 200)
        case .cover: (960, 260)
        }
    }

    /// The property of the user with the picture's id.
    var property: WritableKeyPath<AppNetUser, Int64?> {
        switch self {
        case .avatar: \.avatar
        case .cover: \.cover
        }
    }

    func number(of user: AppNetUser) -> Int64? { user[keyPath: property] }

    /// Returns the URL of the picture.
    func url(_ user: AppNetUser, root: String) -> String {
        let name = number(of: user).map(String.init) ?? "default-\(rawValue).svg"
        return "\(root)\(AppNetArea.contentPrefix)/images/\(name)"
    }

    /// Returns the JSON object of the picture (Docs/Protocols/AppNet.md §3.4).
    func json(_ user: AppNetUser, root: String, database: Database) throws -> JSONValue {
        var size = defaultSize
        if let number = number(of: user) {
            size = try ImageTable(database: database).size(number) ?? size
        }
        return [
            "url": .string(url(user, root: root)), "width": .count(size.width), "height": .count(size.height),
            "is_default": .bool(number(of: user) == nil),
        ]
    }
}

/// The table of pictures.
struct ImageTable {
    private struct Image: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_image"

        @RowID var id: Int64
        let mediaType: String
        let width: Int
        let height: Int
        let bytes: Data

        enum CodingKeys: String, CodingKey {
            case id
            case mediaType = "mime_type"
            case width, height, bytes
        }
    }

    let database: Database

    func insert(_ bytes: [UInt8], _ header: ImageHeader) throws -> Int64 {
        try Image(
            id: 0,
            mediaType: header.mediaType,
            width: header.width,
            height: header.height,
            bytes: Data(bytes)
        ).insert(database)
        return database.lastInsertedRowID
    }

    func picture(_ id: Int64) throws -> (bytes: [UInt8], mediaType: String)? {
        try Image.fetchOne(database, where: "id = ?", [id]).map { (Array($0.bytes), $0.mediaType) }
    }

    /// Returns the size of a picture in pixels, without reading the picture itself.
    func size(_ id: Int64) throws -> (width: Int, height: Int)? {
        let statement = try database.cachedStatement(sql: "SELECT width, height FROM appnet_image WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map { ($0["width"], $0["height"]) }
    }

    func delete(_ id: Int64) throws { try Image.deleteOne(database, key: id) }
}
