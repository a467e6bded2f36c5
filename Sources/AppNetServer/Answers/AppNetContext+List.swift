internal import HeliumJSON
internal import HeliumServerKit

extension AppNetContext {
    /// Returns a list that the service does not paginate, newest item first.
    ///
    /// A list that would have more than `maximumBytes` is cut and has the pagination members of `meta`, so that
    /// `before_id` continues it. Other lists have no such members (Docs/Protocols/AppNet.md §1.6).
    ///
    /// - Parameters:
    ///   - items: The items in descending order of their ids. Items after a cut are not rendered.
    ///   - id: Returns an item's pagination id.
    ///   - maximumBytes: The maximum size of the list. Default: ``AnswerLimits/bytes``.
    ///   - render: Returns the JSON object of an item; `nil` if the caller may not see it.
    func list<Item>(
        _ items: [Item],
        id: (Item) -> Int64,
        maximumBytes: Int = AnswerLimits.bytes,
        render: (Item) throws -> JSONValue?
    ) throws -> AppNetResponse {
        let before = parameters["before_id"] == nil ? nil : try PageRequest(parameters, marker: .unsupported).before
        var found: [(id: Int64, json: JSONValue)] = []
        var (bytes, isCut) = (0, false)
        for item in items where id(item) < before ?? .max {
            guard let json = try render(item) else { continue }
            bytes += json.approximateBytes
            isCut = bytes > maximumBytes && !found.isEmpty
            if isCut { break }
            found.append((id(item), json))
        }
        var answer = AppNetResponse.data(.array(found.map(\.json)))
        answer.hasMore = isCut
        guard isCut || before != nil else { return answer }
        answer.meta["more"] = .bool(isCut)
        if let first = found.first, let last = found.last {
            answer.meta += ["min_id": .id(last.id), "max_id": .id(first.id)]
        }
        return answer
    }
}
