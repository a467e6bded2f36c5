internal import GRDB

/// Decides which messages of a listing a filter excludes.
///
/// A listing reads rows derived from messages, and not the messages themselves. Those are read only for a filter.
struct MessageExclusion {
    private let filter: MessageFilter
    private let database: Database
    /// The last decision. The rows of a message follow each other.
    private var last: (localID: Int64, isExcluded: Bool)?

    /// Creates the exclusion; `nil` without a filter.
    init?(_ filter: MessageFilter?, in database: Database) {
        guard let filter else { return nil }
        self.filter = filter
        self.database = database
    }

    /// Returns whether the filter excludes a message. A message whose document cannot be read is excluded.
    mutating func excludes(_ localID: Int64) throws -> Bool {
        if let last, last.localID == localID { return last.isExcluded }
        let statement = try database.cachedStatement(
            sql: "SELECT \(MessageRow.columns) FROM message AS m \(MessageRow.joins) WHERE m.local_id = ?"
        )
        let message = try MessageRow.fetch(statement, [localID], in: database).messages.first
        let isExcluded = message.map(filter) ?? true
        last = (localID, isExcluded)
        return isExcluded
    }
}
