internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// What answers tell in their fields, the last of each: shared by the copies of a client.
final class AnswerNotes: Sendable {
    struct Value: Sendable {
        var rateLimit: RateLimit?
        var grantedScopes: [AuthScope]?
        var enabledMigrations: [String]?
    }

    private let notes = Guarded(Value())

    var value: Value { notes.withLock { $0 } }

    /// Takes over what an answer tells; what it doesn't stays.
    func note(_ head: ResponseHead) {
        let rateLimit = RateLimit(head)
        let scopes = head[.oauthScopes].map(AuthScope.list)
        let migrations = head[.migrationsEnabled].map(Migrations.enabled)
        guard rateLimit != nil || scopes != nil || migrations != nil else { return }
        notes.withLock { notes in
            notes.rateLimit = rateLimit ?? notes.rateLimit
            notes.grantedScopes = scopes ?? notes.grantedScopes
            notes.enabledMigrations = migrations ?? notes.enabledMigrations
        }
    }
}

/// The text forms of migrations (§1.5).
enum Migrations {
    /// The request's field: query-encoded, sorted so that the same overrides make the same text.
    static func overrides(_ migrations: [String: Bool]) -> String {
        migrations.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\($0.value ? "1" : "0")" }.joined(
            separator: "&"
        )
    }

    /// The answer's field: keys with an optional value, by `&`, comma or blank; an empty text names none.
    static func enabled(_ text: String) -> [String] {
        text.unicodeScalars.split { "&, ".unicodeScalars.contains($0) }.map { item in
            let name = String(item.prefix { $0 != "=" })
            return name.removingPercentEncoding ?? name
        }
    }

    private static func escaped(_ key: String) -> String {
        key.utf8.map { byte in
            let isPlain = (byte | 32) &- 97 < 26 || byte &- 48 < 10 || [45, 46, 95, 126].contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + hex(byte)
        }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension HTTPField.Name {
    static let oauthScopes = Self(constant: "X-OAuth-Scopes")
    static let adnFileName = Self(constant: "X-ADN-Filename")
    static let migrationOverrides = Self(constant: "X-ADN-Migration-Overrides")
    static let migrationsEnabled = Self(constant: "X-ADN-Migrations-Enabled")
    static let prettyJSON = Self(constant: "X-ADN-Pretty-JSON")
    static let pnutPrettyJSON = Self(constant: "X-Pretty-Json")
}
