import Foundation
import GRDB

/// The columns of a store whose names suggest a secret.
///
/// A test checks that each of them is in one of the two lists, so that a new column cannot be forgotten.
enum SecretColumns {
    /// Those that have a secret, as `table.column`.
    static let secret: Set<String> = [
        "appnet_app.password_grant", "appnet_app.secret", "appnet_code.code", "appnet_delegate_token.secret",
        "appnet_file.content_key", "appnet_file.write_token", "appnet_file_grant.token", "appnet_poll.token",
        "appnet_token.secret", "appnet_user.password", "cosm_key.secret", "cosm_trigger.key", "jetstream_session.token",
    ]

    /// Those that have none, with the reason.
    static let harmless: [String: String] = [
        "appnet_app.link": "the page of the app, which is a part of posts",
        "appnet_code.token": "the id of a token",
        "appnet_delegate_token.token": "the id of a token",
        "appnet_file_content.key": "the name of a derived file",
        "appnet_file_content.sha1": "the digest of a content, which the file has",
        "appnet_file_content.sha256": "the digest of a content, which the file has",
        "appnet_filter.document": "a filter of posts",
        "appnet_stream.key": "a name that the app chooses",
        "appnet_stream.token": "the id of a token",
        "cosm_key.document": "the permissions of a key, whose secret is a column too",
        "cosm_trigger.url": "a part of the trigger, which its owner may read",
        "jetstream_fetch.session": "the number of a session",
        "jetstream_message.session": "the number of a session",
    ]

    private static let words = [
        "secret", "token", "key", "code", "passw", "hash", "salt", "grant", "credential", "signature", "auth", "sha",
        "session", "link", "url", "document", "proof",
    ]

    /// Returns the columns of a store with such names.
    static func found(in database: Database) throws -> Set<String> {
        var columns: Set<String> = []
        for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
            let sql = "SELECT name FROM pragma_table_info(?)"
            for name in try String.fetchAll(database, sql: sql, arguments: [table])
            where words.contains(where: name.contains) { columns.insert("\(table).\(name)") }
        }
        return columns
    }

    /// Returns the secrets in a store. A password hash and its salt are two of them.
    static func values(in database: Database) throws -> Set<String> {
        try Set(
            secret.flatMap { column in
                let parts = column.split(separator: ".")
                let sql = "SELECT \(parts[1]) FROM \(parts[0]) WHERE \(parts[1]) IS NOT NULL"
                return try String.fetchAll(database, sql: sql).flatMap {
                    [$0] + $0.split(separator: ":").map(String.init)
                }
            }
        )
    }
}
