internal import GRDB

/// Exports the readable rows of a damaged file. The file is not changed.
struct StoreSalvage {
    let database: Database
    let writer: LineFileWriter
    let export: StoreExport

    /// The result for one table.
    struct Finding: Sendable {
        var rows = 0
        /// The number of unreadable rows; `nil` if even the row count cannot be read.
        var unreadable: Int? = 0
    }

    /// Exports all tables.
    ///
    /// - Parameter account: The account, if the damaged file does not contain it.
    func run(account: String?) throws -> [ExportTable: Finding] {
        let owner = try? String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'account_id'")
        let last = (try? StoreExport.lastLocalID(in: database)) ?? 0
        try StoreExport.writeHeader(account: owner ?? account ?? "", lastLocalID: last, isSalvaged: true, to: writer)
        var findings: [ExportTable: Finding] = [:]
        for table in ExportTable.allCases { findings[table] = try salvage(table) }
        try StoreExport.writeEnd(to: writer)
        return findings
    }

    private func salvage(_ table: ExportTable) throws -> Finding {
        var finding = Finding()
        var read = 0
        // The rows are counted first, because an index may be intact even if the table is not.
        let total = try? Int.fetchOne(database, sql: "SELECT count(*) FROM \(table.rawValue)")
        var reading = DamagedTable(database: database, table: table) { row in
            read += 1
            if try export.write(row, of: table, to: writer) { finding.rows += 1 }
        }
        let isComplete = try reading.read()
        if !isComplete { finding.unreadable = total.map { max(0, $0 - read) } }
        return finding
    }
}

/// Reads the rows of a table with damaged pages.
///
/// A damaged page ends a query with an error. A table is therefore read from both ends of its key. If the key is a
/// number, the remaining ranges are halved and read until nothing is left or too many queries have failed.
struct DamagedTable {
    let database: Database
    let table: ExportTable
    let body: (Row) throws -> Void

    private var failures = 0
    private static let maximumFailures = 4096
    /// The assumed highest key if it cannot be read. A table is unlikely to have more rows.
    private static let highestKey: Int64 = 1 << 32

    init(database: Database, table: ExportTable, _ body: @escaping (Row) throws -> Void) {
        self.database = database
        self.table = table
        self.body = body
    }

    /// Reads the rows, in no particular order.
    ///
    /// - Returns: Whether all rows were read.
    /// - Throws: The error of `body`.
    mutating func read() throws -> Bool {
        table.hasRowID ? try readByNumber() : try readFromBothEnds()
        return failures == 0
    }

    // MARK: Numbers

    private mutating func readByNumber() throws {
        let highest = try? Int64.fetchOne(database, sql: "SELECT max(rowid) FROM \(table.rawValue)")
        var ranges = [Int64.min...(highest ?? Self.highestKey)]
        var index = 0
        // The largest ranges come first, so that a readable page in one of them is found early.
        while index < ranges.count, failures < Self.maximumFailures {
            let range = ranges[index]
            index += 1
            guard let low = try scan(range, isAscending: true) else { continue }
            guard let high = try scan(low...range.upperBound, isAscending: false), low < high else { continue }
            // Row ids are positive.
            let start = max(low, 1)
            guard start < high else { continue }
            let middle = start + (high - start) / 2
            ranges += [start...middle, (middle + 1)...high]
        }
    }

    /// Reads a range until a page is damaged.
    ///
    /// - Returns: The first key that was not reached, in the direction of the scan; `nil` if all rows were read.
    private mutating func scan(_ range: ClosedRange<Int64>, isAscending: Bool) throws -> Int64? {
        var next = isAscending ? range.lowerBound : range.upperBound
        let isComplete = try query(
            "WHERE rowid BETWEEN ? AND ? ORDER BY rowid \(isAscending ? "" : "DESC")",
            [range.lowerBound, range.upperBound]
        ) { row in
            let key: Int64 = row[ExportTable.position]
            next = isAscending ? key + 1 : key - 1
        }
        // The row next to a damaged one may be the end of the range.
        return isComplete || !range.contains(next) ? nil : next
    }

    // MARK: Other keys

    private mutating func readFromBothEnds() throws {
        let key = table.key
        let columns = key.joined(separator: ", ")
        var last: [DatabaseValue] = []
        let isComplete = try query("ORDER BY \(columns)", []) { row in
            last = key.map { row[$0] }
        }
        if isComplete { return }
        let placeholders = key.map { _ in "?" }.joined(separator: ", ")
        let rest = last.isEmpty ? "" : "WHERE (\(columns)) > (\(placeholders))"
        let descending = key.map { "\($0) DESC" }.joined(separator: ", ")
        _ = try query("\(rest) ORDER BY \(descending)", StatementArguments(last)) { _ in }
    }

    // MARK: Queries

    /// Passes on rows until one cannot be read.
    ///
    /// - Returns: Whether all rows were read.
    private mutating func query(
        _ condition: String,
        _ arguments: StatementArguments,
        _ note: (Row) -> Void
    ) throws -> Bool {
        let position = table.hasRowID ? ", rowid AS \(ExportTable.position)" : ""
        do {
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT *\(position) FROM \(table.rawValue) \(condition)",
                arguments: arguments
            )
            while let row = try rows.next() {
                note(row)
                try body(row)
            }
            return true
        } catch is DatabaseError {
            failures += 1
            return false
        }
    }
}
