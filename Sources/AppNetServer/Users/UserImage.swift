internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A user's pictures (§3.3, §3.4).
enum UserImage: String, CaseIterable, Sendable {
    case avatar, cover

    /// The size of the picture that users have before they send their own.
    var defaultSize: (width: Int, height: Int) {
        switch self {
        case .avatar: (200, 200)
        case .cover: (960, 260)
        }
    }

    func number(of user: AppNetUser) -> Int64? {
        switch self {
        case .avatar: user.avatar
        case .cover: user.cover
        }
    }

    /// Where the picture itself is.
    func url(_ user: AppNetUser, root: String) -> String {
        let name = number(of: user).map(String.init) ?? "default-\(rawValue).svg"
        return "\(root)\(AppNetArea.contentPrefix)/images/\(name)"
    }

    /// The Image object (§3.4).
    func json(_ user: AppNetUser, root: String, database: Database) throws -> JSONValue {
        var size = defaultSize
        if let number = number(of: user) {
            let statement = try database.cachedStatement(sql: "SELECT width, height FROM appnet_image WHERE id = ?")
            if let row = try Row.fetchOne(statement, arguments: [number]) { size = (row["width"], row["height"]) }
        }
        return [
            "url": .string(url(user, root: root)), "width": .count(size.width), "height": .count(size.height),
            "is_default": .bool(number(of: user) == nil),
        ]
    }
}
