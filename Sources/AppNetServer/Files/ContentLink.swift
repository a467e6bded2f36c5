internal import HeliumCrypto
internal import HeliumServerKit

/// The URLs of a file's contents (Docs/Protocols/AppNet.md §2.4). Temporary URLs contain their own proof, so that the
/// server does not have to store them. Permanent URLs of public files redirect to a temporary one.
struct ContentLink: Hashable, Sendable {
    /// The path prefix of contents, relative to the server's root.
    static let prefix = AppNetArea.contentPrefix
    /// The minimum lifetime of a temporary URL in seconds. The API promises one hour.
    static let lifetime: Int64 = 3600

    let file: Int64
    /// The key of a derived file; empty for the file's own content.
    let key: String
    /// The time at which the link expires, in seconds since 1970.
    let expiresAt: Int64
    /// The file's name when the link was created. Browsers use it as the name of the saved file.
    let name: String

    /// Creates a link that is valid for at least one hour from `now`. The end is rounded up, so that requests within a
    /// short time get the same URL.
    init(file: Int64, key: String = "", name: String? = nil, now: Int64) {
        self.file = file
        self.key = key
        self.name = name ?? "content"
        expiresAt = ((now + Self.lifetime) / 300 + 1) * 300
    }

    private init(file: Int64, key: String, name: String, expiresAt: Int64) {
        self.file = file
        self.key = key
        self.name = name
        self.expiresAt = expiresAt
    }

    /// Returns the path of the temporary URL.
    func path(secret: String) -> String {
        let name = PercentEncoding.encodedSegment(name)
        return "\(Self.prefix)/\(file)/\(key.isEmpty ? "-" : key)/\(expiresAt)/\(proof(secret))/\(name)"
    }

    /// Parses the segments of a path below ``prefix``; `nil` for any other path. The proof is not checked.
    static func parse(_ segments: [String]) -> (link: Self, proof: String)? {
        guard segments.count == 5, let file = Int64(segments[0]), let expiresAt = Int64(segments[2]) else { return nil }
        let key = segments[1] == "-" ? "" : segments[1]
        return (Self(file: file, key: key, name: segments[4], expiresAt: expiresAt), segments[3])
    }

    /// Returns whether `proof` is the proof of this link.
    func isProved(by proof: String, secret: String) -> Bool { ConstantTime.areEqual(self.proof(secret), proof) }

    /// Returns half of a digest, from which the computation cannot be continued. The name is the last component because
    /// it may contain any character.
    private func proof(_ secret: String) -> String {
        String(SHA256.hash("\(secret)\n\(file)\n\(key)\n\(expiresAt)\n\(name)".utf8).hex.prefix(32))
    }

    /// Returns the path of the permanent URL of a public file. Its last segment is informational and not checked, so
    /// the URL remains valid when the file is renamed.
    static func permanentPath(contentKey: String, name: String?) -> String {
        "\(shortPath(contentKey: contentKey))/\(PercentEncoding.encodedSegment(name ?? "content"))"
    }

    /// Returns the short path: `/appnet-content/p/NAME`. An extension may be appended.
    static func shortPath(contentKey: String) -> String { "\(prefix)/p/\(publicName(contentKey))" }

    /// Returns the name in a permanent URL. It must not reveal the secret of the temporary URLs.
    static func publicName(_ contentKey: String) -> String {
        String(SHA256.hash("public\n\(contentKey)".utf8).hex.prefix(16))
    }

    /// Returns the path of the permanent URL of a content in a public object, with the read token that the object
    /// grants. Its last segment is not checked.
    static func attachedPath(_ grant: String, _ content: FileContent) -> String {
        let name = PercentEncoding.encodedSegment(content.name ?? "content")
        return "\(prefix)/a/\(grant)/\(content.key.isEmpty ? "-" : content.key)/\(name)"
    }
}
