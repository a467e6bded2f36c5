internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials

/// What is kept beside a part, so that a later download can tell what it is a part of.
///
/// Of the URL only its hash: a query may hold what is secret.
struct DownloadRecord: Codable, Hashable {
    private static let version = 1

    let version: Int
    /// SHA-256 of the URL, in hexadecimal.
    let url: String
    let validator: DownloadValidator
    /// The size of the whole, where it is known.
    let total: Int64?

    init(url: RequestURL, validator: DownloadValidator, total: Int64?) {
        version = Self.version
        self.url = Self.hash(url)
        self.validator = validator
        self.total = total
    }

    /// What is in a file; `nil` for anything but a record of this version for `url`.
    init?(_ bytes: Data, for url: RequestURL) {
        guard let record = try? JSONDecoder().decode(Self.self, from: bytes), record.version == Self.version,
            record.url == Self.hash(url), record.validator.fieldValue.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self = record
    }

    var bytes: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    private static func hash(_ url: RequestURL) -> String { SHA256.hash(url.absoluteString.utf8).hex }
}
