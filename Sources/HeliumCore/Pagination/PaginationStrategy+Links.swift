internal import HTTPTypes

extension PaginationStrategy {
    /// The field `Link` leads on (RFC 8288), as GitHub and many others have it: `<…?page=2>; rel="next"`.
    ///
    /// A relative reference is resolved against the page's URL; the encoding stays as the server wrote it. The page
    /// without such a link is the last. A field that can't be read and shows no such link fails with
    /// ``FailureKind/malformedResponse``: to take it for the last page would lose data.
    ///
    /// - Parameter relation: The relation that leads on, letter case aside. Default: `next`.
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
                throw PageFailure(kind: .malformedResponse, message: "the field Link can't be read")
            }
            return nil
        }
    }

    /// The body has the next page's URL, absolute or relative to the page's; `nil` or an empty one ends.
    public static func nextURL(from url: @escaping @Sendable (HeliumResponse<Value>) -> String?) -> Self {
        Self { response, _ in
            guard let url = url(response), !url.isEmpty else { return nil }
            return .reference(url)
        }
    }

    /// The body has a cursor, which the next request carries as a parameter; `nil` or an empty one ends.
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
