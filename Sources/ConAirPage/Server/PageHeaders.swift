internal import HTTPTypes
internal import HeliumServerKit

/// The header fields that keep a page to itself.
enum PageHeaders {
    /// The policy of everything but pictures: scripts, styles and connections of this server alone.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'
        """

    /// The policy of pictures, which have their style sheet within them and no script.
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
