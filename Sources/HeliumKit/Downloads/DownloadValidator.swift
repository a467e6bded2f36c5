internal import HTTPTypes
internal import HeliumCore

/// What tells whether a resource is still the one of which a part was downloaded: fit for `If-Range` (RFC 9110 section
/// 13.1.5).
enum DownloadValidator: Hashable, Codable {
    /// A strong entity tag, quotes included.
    case tag(String)
    /// `Last-Modified`, as the server wrote it.
    case date(String)

    /// The best that an answer gives; `nil` without one that is strong.
    init?(_ head: ResponseHead) {
        if let tag = head[.eTag] {
            // A weak tag (`W/"…"`) may stay the same when bytes differ, and then the date may too.
            guard Self.isStrong(tag) else { return nil }
            self = .tag(tag)
        } else if let modified = head[.lastModified], let then = HTTPDate.parse(modified),
            let now = head[.date].flatMap(HTTPDate.parse), now - then >= 60
        {
            // Within the second, a resource may change without its date. One minute, as RFC 7232 section 2.2.2 had it,
            // leaves room for clocks that differ.
            self = .date(modified)
        } else {
            return nil
        }
    }

    /// The value of `If-Range`.
    var fieldValue: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// Whether an answer contradicts that it is still the same resource: a part need not repeat its validators.
    func isContradicted(by head: ResponseHead) -> Bool {
        switch self {
        case .tag(let tag): head[.eTag].map { !$0.hasSameBytes(as: tag) } ?? false
        case .date(let date): head[.lastModified].map { !$0.hasSameBytes(as: date) } ?? false
        }
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasBytePrefix("\"") && tag.hasByteSuffix("\"")
            && tag.utf8.allSatisfy { 0x21...0x7E ~= $0 || $0 >= 0x80 }
    }
}
