internal import Foundation
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The last values of the header fields that responses carry. Copies of a client share them.
final class ResponseFieldRecord: Sendable {
    struct Value: Sendable {
        var rateLimit: RateLimit?
        var grantedScopes: [AuthScope]?
        var enabledMigrations: [String]?
    }

    private let notes = Guarded(Value())

    var value: Value { notes.withLock { $0 } }

    /// Records the fields of a response. Fields that it does not have keep their last values.
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

/// Conversions between migrations and their text forms (Docs/Protocols/AppNet.md §1.5).
enum Migrations {
    /// Returns the value of the request field: query-encoded, and sorted so that equal overrides give equal text.
    static func overrides(_ migrations: [String: Bool]) -> String {
        migrations.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\($0.value ? "1" : "0")" }.joined(
            separator: "&"
        )
    }

    /// Parses the response field: keys with optional values, separated by `&`, commas or spaces. Empty text has no
    /// keys.
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
