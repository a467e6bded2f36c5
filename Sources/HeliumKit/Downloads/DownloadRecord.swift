package import HeliumCore
internal import HeliumCrypto
package import HeliumEssentials

/// The record beside a part file, by which a later download recognizes the resource of the part.
///
/// It contains only the hash of the URL, because a query may contain secrets.
package struct DownloadRecord: Codable, Hashable {
    private static let version = 1

    let version: Int
    /// The SHA-256 of the URL, in hexadecimal.
    let url: String
    package let validator: DownloadValidator
    /// The total size; `nil` if it is unknown.
    package let total: Int64?

    package init(url: RequestURL, validator: DownloadValidator, total: Int64?) {
        version = Self.version
        self.url = Self.hash(url)
        self.validator = validator
        self.total = total
    }

    /// Decodes a record. Returns `nil` for anything but a record of this version for `url`, and for a validator or size
    /// that no response has.
    package init?(_ bytes: Data, for url: RequestURL) {
        guard let record = try? JSONDecoder().decode(Self.self, from: bytes), record.version == Self.version,
            record.url == Self.hash(url), record.validator.isStrong, record.total ?? 0 >= 0
        else { return nil }
        self = record
    }

    package var bytes: Data {
        get throws { try JSONEncoder().encode(self) }
    }

    private static func hash(_ url: RequestURL) -> String { SHA256.hash(url.absoluteString.utf8).hex }
}
