internal import HTTPTypes

extension PaginationStrategy {
    /// Follows the `Link` field (RFC 8288), which GitHub and many other services send: `<…?page=2>; rel="next"`.
    ///
    /// A relative reference is resolved against the page's URL, and its encoding is kept. A page without such a link is
    /// the last one. A field that can't be parsed and contains no such link fails with
    /// ``FailureKind/malformedResponse``, because treating it as the last page would lose data.
    ///
    /// - Parameter relation: The relation of the next page, ignoring letter case. Default: `next`.
    public static func linkHeader(rel relation: String = "next") -> Self {
        let relation = relation.lowercased()
        return Self { (response, _) throws(PageFailure) in
            var isMalformed = false
            for value in response.head.fields[values: .link] {
                let header = LinkHeader(value)
                if let link = header.links.first(where: { $0.anchor == nil && $0.leads(as: relation) }) {
                    return .reference(link.reference)
                }
                isMalformed = isMalformed || header.isMalformed
            }
            guard !isMalformed else {
                throw PageFailure(kind: .malformedResponse, message: "the field Link can't be parsed")
            }
            return nil
        }
    }

    /// Follows a URL in the body, absolute or relative to the page's URL. `nil` or an empty URL ends the pages.
    public static func nextURL(from url: @escaping @Sendable (HeliumResponse<Value>) -> String?) -> Self {
        Self { response, _ in
            guard let url = url(response), !url.isEmpty else { return nil }
            return .reference(url)
        }
    }

    /// Sends a cursor from the body as a parameter of the next request. `nil` or an empty cursor ends the pages.
    public static func cursor(
        parameter: String = "cursor",
        from cursor: @escaping @Sendable (HeliumResponse<Value>) -> String?
    ) -> Self {
        Self { response, _ in
            guard let cursor = cursor(response), !cursor.isEmpty else { return nil }
            return .parameters([parameter: cursor])
        }
    }
}

extension HTTPField.Name {
    fileprivate static let link = Self(constant: "Link")
}
