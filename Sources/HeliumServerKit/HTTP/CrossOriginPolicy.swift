internal import HTTPTypes

/// The origins whose pages may read responses in a browser (CORS; Fetch Standard, "HTTP CORS protocol").
package struct CrossOriginPolicy: Sendable {
    /// Origins such as `http://localhost:3000`; `*` allows all.
    private let origins: Set<String>

    package init(origins: Set<String>) { self.origins = origins }

    /// Adds the header fields for a request from an allowed origin. Responses to other origins get only `Vary`, and the
    /// browser rejects them.
    package func apply(to reply: inout ServerReply, of request: ServerRequest, exposing fields: String) {
        // A cache must not answer one origin with the response to another, or to a request without an origin.
        if !origins.isEmpty, !origins.contains("*") { reply.fields.append(HTTPField(name: .vary, value: "Origin")) }
        guard let allowed = allowed(request.fields[.origin]) else { return }
        reply.fields[.accessControlAllowOrigin] = allowed
        reply.fields[.accessControlExposeHeaders] = fields
    }

    private func allowed(_ origin: String?) -> String? {
        if origins.contains("*") { return "*" }
        return origin.flatMap { origins.contains($0.lowercased()) ? $0 : nil }
    }

    /// Returns whether a text is `*`, or an origin as a browser sends it: scheme, host and port in lower case, without
    /// a path.
    package static func isOrigin(_ text: String) -> Bool {
        if text == "*" { return true }
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let host = text.utf8.dropFirst(scheme.utf8.count)
        return !host.isEmpty && host.count <= 260
            && host.allSatisfy { byte in
                (97...122).contains(byte) || (48...58).contains(byte) || [45, 46, 91, 93].contains(byte)
            }
    }
}
