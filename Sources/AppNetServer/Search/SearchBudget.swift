/// A limit for the work of a search, so that a search without a match does not read all stored objects.
struct SearchBudget {
    private(set) var objects: Int
    private(set) var bytes: Int

    init(_ maxima: AppNetMaxima) {
        objects = maxima.searchedObjects
        bytes = maxima.searchedBytes
    }

    /// Counts an object and the bytes of its texts.
    ///
    /// - Throws: ``AppNetFailure`` with 400 when the budget is exhausted.
    mutating func count(_ text: String?) throws(AppNetFailure) {
        objects -= 1
        bytes -= text?.utf8.count ?? 0
        guard objects >= 0, bytes >= 0 else {
            throw .badRequest(
                "The search would examine too many objects: narrow it with a filter, since_id or before_id."
            )
        }
    }
}
