internal import GRDB
internal import HeliumCrypto
internal import HeliumServerKit

/// A password that can be checked but not read, stored as `salt:hash`.
///
/// One round of SHA-256 is sufficient for the generated passwords of a test server, but not for passwords of real
/// users.
struct StoredPassword: Codable, Hashable, Sendable {
    let text: String

    private init(stored: String) { text = stored }

    /// - Throws: `CryptoError` if a salt cannot be created.
    init(_ password: String) throws(CryptoError) {
        let salt = try SecureRandom.bytes(16).withUnsafeBytes { Hex.string($0) }
        text = "\(salt):\(Self.hash(password, salt))"
    }

    func matches(_ password: String) -> Bool {
        let parts = text.split(separator: ":")
        guard parts.count == 2 else { return false }
        return ConstantTime.areEqual(Self.hash(password, String(parts[0])), String(parts[1]))
    }

    private static func hash(_ password: String, _ salt: String) -> String {
        SHA256.hash(Array((salt + password).utf8)).hex
    }
}

extension StoredPassword: DatabaseValueConvertible {
    var databaseValue: DatabaseValue { text.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map(Self.init(stored:))
    }
}

extension StoredPassword: CustomStringConvertible, CustomReflectable {
    /// A fixed text without the password.
    var description: String { "a password" }

    var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
