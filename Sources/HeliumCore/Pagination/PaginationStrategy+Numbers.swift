extension PaginationStrategy {
    /// Pages are numbered: each request carries the number.
    ///
    /// - Parameters:
    ///   - parameter: The number's parameter. Default: `page`.
    ///   - start: The first page's number. Default: 1.
    ///   - isLast: Whether a page is the last.
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

    /// Pages begin at an offset: each request carries the number of elements before its page, and how many it wants.
    ///
    /// The first page without elements is the last; a `total` spares the request for it.
    ///
    /// - Parameters:
    ///   - parameter: The offset's parameter. Default: `offset`.
    ///   - start: The first page's offset. Default: 0.
    ///   - limitParameter: The parameter for how many elements a page shall have. Default: `limit`.
    ///   - limit: How many. A server may send fewer.
    ///   - count: How many elements a page has.
    ///   - total: How many elements there are in all, where a page tells. Default: it does not.
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
    /// Pages are numbered, and the first without elements is the last.
    public static func pageNumber(parameter: String = "page", startingAt start: Int = 1) -> Self {
        pageNumber(parameter: parameter, startingAt: start, isLast: { $0.value.isEmpty })
    }

    /// Pages begin at an offset, and the first without elements is the last.
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
