internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The response with a file's content: the complete content, or the requested range (RFC 9110 §14).
enum ContentReply {
    static func reply(_ content: FileContent, _ bytes: [UInt8], fields: HTTPFields) -> ServerReply {
        var reply = ServerReply(status: .ok, body: bytes)
        reply.fields[.contentType] = content.mediaType
        reply.fields[.acceptRanges] = "bytes"
        reply.fields[.eTag] = "\"\(content.sha1)\""
        // The bytes come from users and are served from the server's own origin. Browsers must not run them as a page
        // of that origin.
        reply.fields[.xContentTypeOptions] = "nosniff"
        reply.fields[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        if fields[.ifRange].map({ $0 != reply.fields[.eTag] }) ?? false { return reply }
        switch fields[.range].flatMap({ ByteRange($0, count: bytes.count) }) {
        case nil: break
        case .unsatisfiable:
            reply.status = .rangeNotSatisfiable
            reply.body = []
            reply.fields[.contentType] = nil
            reply.fields[.contentRange] = "bytes */\(bytes.count)"
        case .satisfiable(let range):
            reply.status = .partialContent
            reply.body = Array(bytes[range])
            reply.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        }
        return reply
    }
}

/// The range of a `Range` field.
enum ByteRange: Hashable, Sendable {
    case satisfiable(Range<Int>)
    case unsatisfiable

    /// Parses a range; `nil` for ranges that a server may ignore: other units, several ranges and malformed ones.
    init?(_ text: String, count: Int) {
        let parts = text.split(atByte: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimming().lowercased() == "bytes", !parts[1].containsBytes(of: ",") else {
            return nil
        }
        let ends = parts[1].split(atByte: "-", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimming() }
        guard ends.count == 2 else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, _) where first < 0: return nil
        case (let first?, let last?):
            guard first <= last else { return nil }
            self = first < count ? .satisfiable(first..<min(count, last < Int.max ? last + 1 : last)) : .unsatisfiable
        case (let first?, nil):
            guard ends[1].isEmpty else { return nil }
            self = first < count ? .satisfiable(first..<count) : .unsatisfiable
        case (nil, let suffix?):
            guard ends[0].isEmpty, suffix >= 0 else { return nil }
            self = suffix > 0 && count > 0 ? .satisfiable(max(0, count - suffix)..<count) : .unsatisfiable
        case (nil, nil): return nil
        }
    }
}
