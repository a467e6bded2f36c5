internal import HeliumCrypto
internal import HeliumServerKit

/// The URLs of a file's contents (§2.4): temporary ones, which carry their own proof, so that nothing has to be kept
/// for them, and permanent ones of public files, which lead to a temporary one.
struct ContentLink: Hashable, Sendable {
    /// Where contents are served, below the server's root.
    static let prefix = AppNetArea.contentPrefix
    /// How long a temporary URL lives at least, in seconds; the page promises an hour.
    static let lifetime: Int64 = 3600

    let file: Int64
    /// The key of a derived file; empty for the file's own content.
    let key: String
    /// Seconds since 1970.
    let expiresAt: Int64
    /// The file's name when the link was made: what browsers call a saved file.
    let name: String

    /// A link that lives for an hour or more from `now`. The end is rounded up, so that asking twice in a short time
    /// gives one URL.
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

    /// The path of the temporary URL.
    func path(secret: String) -> String {
        let name = PercentEncoding.encodedSegment(name)
        return "\(Self.prefix)/\(file)/\(key.isEmpty ? "-" : key)/\(expiresAt)/\(proof(secret))/\(name)"
    }

    /// Reads the segments of a path below ``prefix``; the proof is not checked yet. Nil for any other path.
    static func parse(_ segments: [String]) -> (link: Self, proof: String)? {
        guard segments.count == 5, let file = Int64(segments[0]), let expiresAt = Int64(segments[2]) else { return nil }
        let key = segments[1] == "-" ? "" : segments[1]
        return (Self(file: file, key: key, name: segments[4], expiresAt: expiresAt), segments[3])
    }

    /// Whether `proof` is that of this link.
    func isProved(by proof: String, secret: String) -> Bool { ConstantTime.areEqual(self.proof(secret), proof) }

    /// Half a digest: whoever sees it cannot go on computing from it. The name comes last, since it may hold anything.
    private func proof(_ secret: String) -> String {
        String(SHA256.hash("\(secret)\n\(file)\n\(key)\n\(expiresAt)\n\(name)".utf8).hex.prefix(32))
    }

    /// The path of the permanent URL of a public file, and of the short one. Its last segment is for people and is not
    /// checked: the URL stays good when the file gets another name.
    static func permanentPath(contentKey: String, name: String?) -> String {
        "\(shortPath(contentKey: contentKey))/\(PercentEncoding.encodedSegment(name ?? "content"))"
    }

    /// The short path: `/appnet-content/p/NAME`; an extension may be appended.
    static func shortPath(contentKey: String) -> String { "\(prefix)/p/\(publicName(contentKey))" }

    /// The name in a permanent URL, which must not give the secret of the temporary ones away.
    static func publicName(_ contentKey: String) -> String {
        String(SHA256.hash("public\n\(contentKey)".utf8).hex.prefix(16))
    }

    /// The path of the permanent URL of a content that a public object shows, by the read token that it grants. Its last
    /// segment is not checked either.
    static func attachedPath(_ grant: String, _ content: FileContent) -> String {
        let name = PercentEncoding.encodedSegment(content.name ?? "content")
        return "\(prefix)/a/\(grant)/\(content.key.isEmpty ? "-" : content.key)/\(name)"
    }
}
