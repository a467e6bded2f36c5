internal import HTTPTypes

/// Which pages of a browser may read responses (CORS, Fetch Standard "HTTP cors protocol").
package struct CrossOriginPolicy: Sendable {
    /// Origins such as `http://localhost:3000`; `*` allows all.
    private let origins: Set<String>

    package init(origins: Set<String>) { self.origins = origins }

    /// Adds the fields for a request of an allowed origin; nothing for others, which a browser then refuses.
    package func apply(to reply: inout ServerReply, of request: ServerRequest, exposing fields: String) {
        guard let allowed = allowed(request.fields[.origin]) else { return }
        reply.fields[.accessControlAllowOrigin] = allowed
        reply.fields[.accessControlExposeHeaders] = fields
        if allowed != "*" { reply.fields.append(HTTPField(name: .vary, value: "Origin")) }
    }

    private func allowed(_ origin: String?) -> String? {
        if origins.contains("*") { return "*" }
        return origin.flatMap { origins.contains($0.lowercased()) ? $0 : nil }
    }

    /// Whether a text is `*`, or scheme, host and port as a browser sends them: in lower case, without a path.
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
