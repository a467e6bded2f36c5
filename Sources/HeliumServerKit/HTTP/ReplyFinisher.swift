package import HTTPTypes
internal import HeliumCrypto
internal import HeliumJSON

/// The final steps for every response, whatever route created it: a weak `ETag`, 304 for a match, gzip, and no body for
/// HEAD (Docs/Protocols/Middleware.md §5.1, §5.6; RFC 9110).
package enum ReplyFinisher {
    /// The minimum size in bytes of a body that is compressed.
    package static let compressionThreshold = 1024

    package static func finish(_ reply: ServerReply, method: HTTPRequest.Method, fields: HTTPFields) -> ServerReply {
        if reply.stream != nil { return reply }
        var reply = reply
        // A reply may already vary by another field, such as `Origin`.
        reply.fields[.vary] = (reply.fields[.vary].map { "\($0), " } ?? "") + "Accept-Encoding"
        if !reply.body.isEmpty, reply.fields[.eTag] == nil { reply.fields[.eTag] = weakTag(of: reply.body) }
        if reply.status.kind == .successful, method == .get || method == .head,
            let tag = reply.fields[.eTag], let candidates = fields[.ifNoneMatch], matches(tag, candidates)
        {
            reply.status = .notModified
            reply.body = []
            reply.fields[.contentType] = nil
            return reply
        }
        // A range refers to the bytes as they are transferred, so responses with ranges are not compressed.
        let isPlain = reply.fields[.acceptRanges] != nil
        if !isPlain, reply.body.count >= compressionThreshold, acceptsGzip(fields[.acceptEncoding]) {
            reply.body = ContentCoding.gzip(reply.body)
            reply.fields[.contentEncoding] = "gzip"
        }
        reply.fields[.contentLength] = String(reply.body.count)
        if method == .head { reply.body = [] }
        return reply
    }

    private static func weakTag(of body: [UInt8]) -> String {
        "W/\"\(String(body.count, radix: 16))-\(SHA256.hash(body).hex.prefix(27))\""
    }

    /// Returns whether `tag` weakly matches one of `candidates`, or `candidates` contains `*` (RFC 9110 §13.1.2).
    private static func matches(_ tag: String, _ candidates: String) -> Bool {
        candidates.split(atByte: ",").contains { candidate in
            let candidate = candidate.split(atByte: " ").first ?? ""
            return candidate == "*" || opaque(candidate) == opaque(tag[...])
        }
    }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }

    /// Returns whether an `Accept-Encoding` value contains `gzip` or `*` with a weight above zero (RFC 9110 §12.5.3).
    package static func acceptsGzip(_ header: String?) -> Bool {
        guard let header else { return false }
        var any = false
        for element in header.lowercased().split(atByte: ",") {
            let parts = element.split(atByte: ";").map { $0.removingBytes(of: " ") }
            guard let coding = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if coding == "gzip" || coding == "x-gzip" { return weight > 0 }
            if coding == "*" { any = weight > 0 }
        }
        return any
    }
}
