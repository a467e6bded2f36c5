internal import HTTPTypes
package import HeliumCore

/// The validator that shows whether a resource has changed since a part of it was downloaded, suitable for `If-Range`
/// (RFC 9110 §13.1.5).
package enum DownloadValidator: Hashable, Codable {
    /// A strong entity tag, including its quotes.
    case tag(String)
    /// The value of `Last-Modified`, unchanged.
    case date(String)

    /// Creates the best validator of a response. Returns `nil` if it has no strong one.
    package init?(_ head: ResponseHead) {
        if let tag = head[.eTag] {
            // A weak tag (`W/"…"`) may stay the same when bytes differ, and the date may stay the same as well.
            self = .tag(tag)
        } else if let modified = head[.lastModified], let then = HTTPDate.parse(modified),
            let now = head[.date].flatMap(HTTPDate.parse), now - then >= 60
        {
            // Within a second, a resource may change without a change of its date. A difference of one minute (RFC 7232
            // §2.2.2) also tolerates clocks that differ.
            self = .date(modified)
        } else {
            return nil
        }
        guard isStrong else { return nil }
    }

    /// The value of `If-Range`.
    package var fieldValue: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// Returns whether a response contradicts that the resource is unchanged. A partial response need not repeat the
    /// validators.
    package func isContradicted(by head: ResponseHead) -> Bool {
        switch self {
        case .tag(let tag): head[.eTag].map { !$0.hasSameBytes(as: tag) } ?? false
        case .date(let date): head[.lastModified].map { !$0.hasSameBytes(as: date) } ?? false
        }
    }

    /// Whether this can be the validator of a response. One that was read from a file may be anything.
    var isStrong: Bool {
        switch self {
        case .tag(let tag): Self.isStrong(tag)
        // The reader of dates is lenient with the name of the day. What begins as an entity tag would be read as one.
        case .date(let date):
            HTTPDate.parse(date) != nil && HTTPField.isValidValue(date) && !date.hasBytePrefix("W/")
                && !date.hasBytePrefix("\"")
        }
    }

    /// Returns whether a text is one strong entity tag (RFC 9110 §8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count >= 2 && tag.hasBytePrefix("\"") && tag.hasByteSuffix("\"")
            && tag.utf8.dropFirst().dropLast().allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x22 || $0 >= 0x80 }
    }
}
