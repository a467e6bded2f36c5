internal import GRDB

/// Creates pages of the posts that the caller can see.
struct PostPager: RequestScoped {
    let context: AppNetContext

    /// Returns a page of the posts that meet a condition.
    ///
    /// - Parameter condition: An SQL condition that is a literal in the source.
    func page(
        where condition: String,
        _ arguments: StatementArguments = [],
        marker: String? = nil,
        askedFor: Int64? = nil,
        includesDirected: Bool = true,
        includes: (PostRecord) throws -> Bool = { _ in true }
    ) throws -> AppNetResponse {
        let visibility = try PostVisibility(context, askedFor: askedFor, includesDirected: includesDirected)
        let renderer = context.renderer
        return try context.page(
            marker: marker,
            fetch: { try tables.posts.posts(where: condition, arguments, $0) },
            id: \.id,
            includes: { try visibility.shows($0) && includes($0) },
            render: { try renderer.post($0) }
        )
    }
}
