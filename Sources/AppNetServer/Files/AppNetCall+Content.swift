internal import HTTPTypes
internal import HeliumServerKit

/// What the URLs of files lead to (§2.4).
extension AppNetCall {
    /// A temporary URL: the bytes.
    func fileContent() throws -> AppNetAnswer {
        let segments = ["file", "key", "expires", "proof", "name"].map(segment)
        guard let (link, proof) = ContentLink.parse(segments), let file = try files.file(link.file),
            link.isProved(by: proof, secret: file.contentKey)
        else { throw AppNetFailure.notFound }
        guard now < link.expiresAt else { throw AppNetFailure.forbidden("The URL has expired.") }
        guard let content = try files.contents(of: file.id).first(where: { $0.key == link.key }),
            let bytes = try files.bytes(of: file.id, key: link.key)
        else { throw AppNetFailure.notFound }
        return .reply(ContentReply.reply(content, bytes, fields: request.fields))
    }

    /// The permanent URL of a public file, an extension appended or not: leads to a temporary one.
    func publicFile() throws -> AppNetAnswer {
        guard let name = segment("name").split(separator: ".", omittingEmptySubsequences: false).first,
            let file = try files.file(publicName: String(name)), file.isPublic
        else { throw AppNetFailure.notFound }
        return try redirect(to: file, key: "")
    }

    /// The permanent URL of a file that a public object shows; its token stands in the object's annotation too.
    func attachedFile() throws -> AppNetAnswer {
        guard let id = try files.file(grantedBy: segment("token")), let file = try files.file(id) else {
            throw AppNetFailure.notFound
        }
        return try redirect(to: file, key: segment("key") == "-" ? "" : segment("key"))
    }

    private func redirect(to file: FileRecord, key: String) throws -> AppNetAnswer {
        guard file.isComplete, let content = try files.contents(of: file.id).first(where: { $0.key == key }) else {
            throw AppNetFailure.notFound
        }
        return .redirect(request.root + temporaryPath(file, content))
    }

    func temporaryPath(_ file: FileRecord, _ content: FileContent) -> String {
        ContentLink(file: file.id, key: content.key, name: content.name, now: now).path(secret: file.contentKey)
    }
}

/// A file's content as an answer: whole, or the range that was asked for (RFC 9110, section 14).
enum ContentReply {
    static func reply(_ content: FileContent, _ bytes: [UInt8], fields: HTTPFields) -> ServerReply {
        var reply = ServerReply(status: .ok, body: bytes)
        reply.fields[.contentType] = content.mediaType
        reply.fields[.acceptRanges] = "bytes"
        reply.fields[.eTag] = "\"\(content.sha1)\""
        // Anybody's bytes on the server's own address: a browser must not take them for one of its pages.
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

    /// Nil for what a server may pass over: other units, several ranges, malformed ones.
    init?(_ text: String, count: Int) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimming().lowercased() == "bytes", !parts[1].contains(",") else { return nil }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { $0.trimming() }
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
