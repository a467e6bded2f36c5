/// How a page tells where the next one is.
///
/// ```swift
/// for try await todo in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()).elements {
///     print(todo.name)
/// }
/// ```
public struct PaginationStrategy<Value: Sendable>: Sendable {
    /// Where the next page is.
    enum Next: Sendable {
        /// At a URL, absolute or relative to the page's.
        case reference(String)
        /// At the first page's URL with these parameters set.
        case parameters([String: String])
    }

    /// The first page's parameters, besides the request's own.
    let firstParameters: [String: String]

    /// The next page after an answer; `nil` if that was the last. The number is the strategy's own, 0 at first.
    let next: @Sendable (HeliumResponse<Value>, inout Int) throws(PageFailure) -> Next?

    init(
        firstParameters: [String: String] = [:],
        next: @escaping @Sendable (HeliumResponse<Value>, inout Int) throws(PageFailure) -> Next?
    ) {
        self.firstParameters = firstParameters
        self.next = next
    }
}

/// Why an answer does not lead to a next page although it should.
struct PageFailure: Error, Sendable {
    let kind: FailureKind
    let message: String
    var ceiling: Ceiling?
}
