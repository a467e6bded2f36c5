extension PaginationStrategy {
    /// Numbers the pages: each request carries the number of its page.
    ///
    /// - Parameters:
    ///   - parameter: The parameter for the number. Default: `page`.
    ///   - start: The number of the first page. Default: 1.
    ///   - isLast: Returns whether a page is the last one.
    public static func pageNumber(
        parameter: String = "page",
        startingAt start: Int = 1,
        isLast: @escaping @Sendable (HeliumResponse<Value>) -> Bool
    ) -> Self {
        Self(firstParameters: [parameter: String(start)]) { (response, taken) throws(PageFailure) in
            if isLast(response) { return nil }
            taken += 1
            return .parameters([parameter: String(try sum(start, taken))])
        }
    }

    /// Requests pages by offset: each request carries the number of elements before its page and the page's maximum
    /// size.
    ///
    /// The first page without elements is the last one. With a `total`, the request for that empty page is not needed.
    ///
    /// - Parameters:
    ///   - parameter: The parameter for the offset. Default: `offset`.
    ///   - start: The offset of the first page. Default: 0.
    ///   - limitParameter: The parameter for the maximum number of elements in a page. Default: `limit`.
    ///   - limit: The maximum number of elements in a page. A server may send fewer.
    ///   - count: Returns the number of elements in a page.
    ///   - total: Returns the total number of elements if a page contains it. Default: `nil`.
    public static func offset(
        parameter: String = "offset",
        startingAt start: Int = 0,
        limitParameter: String = "limit",
        limit: Int,
        count: @escaping @Sendable (HeliumResponse<Value>) -> Int,
        total: @escaping @Sendable (HeliumResponse<Value>) -> Int? = { _ in nil }
    ) -> Self {
        let limits = [limitParameter: String(limit)]
        let first = limits.merging([parameter: String(start)]) { $1 }
        return Self(firstParameters: first) { (response, taken) throws(PageFailure) in
            let count = count(response)
            guard count > 0 else { return nil }
            taken = try sum(taken, count)
            let offset = try sum(start, taken)
            if let total = total(response), offset >= total { return nil }
            return .parameters(limits.merging([parameter: String(offset)]) { $1 })
        }
    }

    private static func sum(_ a: Int, _ b: Int) throws(PageFailure) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard !overflow else {
            throw PageFailure(kind: .invalidRequest, message: "the next page's number is too large")
        }
        return sum
    }
}

extension PaginationStrategy where Value: Collection {
    /// Numbers the pages. The first page without elements is the last one.
    public static func pageNumber(parameter: String = "page", startingAt start: Int = 1) -> Self {
        pageNumber(parameter: parameter, startingAt: start, isLast: { $0.value.isEmpty })
    }

    /// Requests pages by offset. The first page without elements is the last one.
    public static func offset(
        parameter: String = "offset",
        startingAt start: Int = 0,
        limitParameter: String = "limit",
        limit: Int
    ) -> Self {
        offset(
            parameter: parameter,
            startingAt: start,
            limitParameter: limitParameter,
            limit: limit,
            count: { $0.value.count }
        )
    }
}
