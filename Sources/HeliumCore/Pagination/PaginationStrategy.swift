/// The rule that determines the next page from a page.
///
/// ```swift
/// for try await todo in helium.get("/todos", returning: [Todo].self).pages(.linkHeader()).elements {
///     print(todo.name)
/// }
/// ```
public struct PaginationStrategy<Value: Sendable>: Sendable {
    /// The location of the next page.
    enum Next: Sendable {
        /// A URL, absolute or relative to the page's URL.
        case reference(String)
        /// The first page's URL with these parameters set.
        case parameters([String: String])
    }

    /// The first page's parameters, in addition to the request's own.
    let firstParameters: [String: String]

    /// Returns the next page after a response, or `nil` after the last one. The number is a state of the strategy,
    /// initially 0.
    let next: @Sendable (HeliumResponse<Value>, inout Int) throws(PageFailure) -> Next?

    init(
        firstParameters: [String: String] = [:],
        next: @escaping @Sendable (HeliumResponse<Value>, inout Int) throws(PageFailure) -> Next?
    ) {
        self.firstParameters = firstParameters
        self.next = next
    }
}

/// The reason why a response's next page can't be fetched.
struct PageFailure: Error, Sendable {
    let kind: FailureKind
    let message: String
    var ceiling: Ceiling?
}
