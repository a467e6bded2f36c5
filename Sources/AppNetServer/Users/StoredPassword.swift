internal import GRDB
internal import HeliumCrypto
internal import HeliumServerKit

/// A password that can be checked and not read: `salt:hash`.
///
/// One round of SHA-256 is enough for a test server's made-up passwords and would not be for people's real ones.
struct StoredPassword: Codable, Hashable, Sendable {
    let text: String

    private init(stored: String) { text = stored }

    /// - Throws: `CryptoError` where no salt can be made.
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
    /// Nothing of the password.
    var description: String { "a password" }

    var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}
