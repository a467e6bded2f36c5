internal import HTTPTypes
internal import HeliumServerKit

/// The header fields that isolate a page.
enum PageHeaders {
    /// The policy of everything except pictures: scripts, styles and connections only from this server.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """

    /// The policy of pictures, which contain their style sheet and no script.
    static let picturePolicy = """
        default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// Adds the fields that all responses have.
    static func secure(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        if reply.fields[.contentSecurityPolicy] == nil { reply.fields[.contentSecurityPolicy] = policy }
        reply.fields[.xContentTypeOptions] = "nosniff"
        reply.fields[.referrerPolicy] = "no-referrer"
        if reply.fields[.cacheControl] == nil { reply.fields[.cacheControl] = "no-cache" }
        return reply
    }
}

extension HTTPField.Name {
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let lastEventID = Self.known("Last-Event-ID")
}
