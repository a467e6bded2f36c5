internal import GRDB
internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumDatabase
internal import HeliumServerKit

/// The devices and todos of the middleware. Every method is one transaction.
struct MiddlewareStore: SharedReaders {
    let access: DatabaseAccess
    let reads = AsyncLock(permits: ServerDatabase.readsPerProtocol)
    private let random: RandomSource
    private static let byID = "id = ?"

    /// Creates a store on a database to which ``migrator`` has been applied.
    init(_ access: DatabaseAccess, random: RandomSource = .system) {
        self.access = access
        self.random = random
    }

    /// Returns an unpredictable id: `byteCount` random bytes in lower-case hexadecimal.
    func newID(byteCount: Int) -> String { random.hex(byteCount: byteCount) }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Strict tables prevent other programs from storing a value of another type, which could not be decoded.
        migrator.registerMigration("middleware-1") { database in
            try database.create(table: DeviceRecord.databaseTableName, options: .strict) { table in
                table.primaryKey("id", .text)
                table.requiredColumns(.text, "status", "description")
                table.requiredColumns(.integer, "created")
                table.column("last_modified", .integer).notNull().indexed()
            }
            try database.create(table: TodoRecord.databaseTableName, options: .strict) { table in
                table.autoIncrementedPrimaryKey("position")
                table.column("id", .text).notNull().unique()
                table.requiredColumns(.text, "name", "status", "group_name")
                table.requiredColumns(.integer, "created", "last_modified")
            }
        }
        migrator.registerMigration("middleware-2") { database in
            // Finds the device that was never used and is the oldest.
            try database.create(
                indexOn: DeviceRecord.databaseTableName,
                columns: ["status", "last_modified"]
            )
        }
        migrator.registerMigration("middleware-3") { database in
            // The client that registered a device, for the shares of devices that were never used.
            try database.alter(table: DeviceRecord.databaseTableName) { table in
                table.add(column: "client", .text).notNull().defaults(to: "")
            }
            try database.create(
                indexOn: DeviceRecord.databaseTableName,
                columns: ["status", "client", "last_modified", "id"]
            )
        }
        return migrator
    }
}

// MARK: Devices

extension MiddlewareStore {
    func device(_ id: String) async throws -> DeviceRecord? {
        try await read { try DeviceRecord.fetchOne($0, where: Self.byID, [id]) }
    }

    /// Inserts a device, and deletes devices beyond the limits (``DeviceLimits``).
    ///
    /// - Throws: GRDB's `DatabaseError` if a device has its id.
    func insert(_ device: DeviceRecord, maximum: Int) async throws {
        try await access.write { database in
            try device.insert(database)
            try DeviceLimits(maximum: maximum).apply(to: database, sparing: device.id)
        }
    }

    /// Applies `change` to a stored device. If that is its first use, devices beyond the limits are deleted.
    ///
    /// - Returns: The changed record; `nil` if there is none.
    func updateDevice(
        _ id: String,
        maximum: Int,
        _ change: @escaping @Sendable (inout DeviceRecord) -> Void
    ) async throws -> DeviceRecord? {
        try await access.write { database in
            guard var record = try DeviceRecord.fetchOne(database, where: Self.byID, [id]) else { return nil }
            let wasUsed = record.status != .inactive
            change(&record)
            try record.update(database)
            if !wasUsed, record.status != .inactive {
                try DeviceLimits(maximum: maximum).apply(to: database, sparing: id)
            }
            return record
        }
    }

    /// Deletes a device.
    ///
    /// - Returns: Whether it existed.
    func removeDevice(_ id: String) async throws -> Bool {
        try await access.write { try DeviceRecord.deleteOne($0, key: id) }
    }

    /// Deletes the devices that satisfy a condition, and returns their number.
    func removeDevices(where isRemoved: @escaping @Sendable (DeviceRecord) -> Bool) async throws -> Int {
        try await access.write { database in
            let removed = try DeviceRecord.fetchReadable(database, DeviceRecord.all()).filter(isRemoved)
            return try DeviceRecord.deleteAll(database, keys: removed.map(\.id))
        }
    }

    func deviceCount() async throws -> Int { try await read { try DeviceRecord.fetchCount($0) } }
}

// MARK: Todos

extension MiddlewareStore {
    func todo(_ id: String) async throws -> TodoRecord? {
        try await read { try TodoRecord.fetchOne($0, where: Self.byID, [id]) }
    }

    /// Returns a page of the todos in ascending order. Ties, and todos without an order, are in the order of creation.
    func todos(by order: TodoOrder?, skip: Int, limit: Int) async throws -> [TodoRecord] {
        try await read { database in
            let orderings = [order?.column, TodoRecord.Columns.position].compactMap { $0 }
            return try TodoRecord.fetchReadable(database, TodoRecord.order(orderings).limit(limit, offset: skip))
        }
    }

    /// Inserts a todo. Beyond `maximum`, the oldest is deleted.
    func insert(_ todo: TodoRecord, maximum: Int) async throws {
        try await access.write { database in
            try todo.insert(database)
            let oldest = TodoRecord.select(TodoRecord.Columns.position).order(TodoRecord.Columns.position.desc)
            guard let last = try Int64.fetchOne(database, oldest.limit(1, offset: maximum)) else { return }
            try TodoRecord.filter(TodoRecord.Columns.position <= last).deleteAll(database)
        }
    }

    /// Applies `change` to a stored todo.
    ///
    /// - Returns: The changed record; `nil` if there is none.
    func updateTodo(
        _ id: String,
        _ change: @escaping @Sendable (inout TodoRecord) -> Void
    ) async throws -> TodoRecord? {
        try await access.write { database in
            guard var todo = try TodoRecord.fetchOne(database, where: Self.byID, [id]) else { return nil }
            change(&todo)
            try todo.update(database)
            return todo
        }
    }

    /// Deletes a todo.
    ///
    /// - Returns: Whether it existed.
    func removeTodo(_ id: String) async throws -> Bool {
        try await access.write { try TodoRecord.deleteOne($0, key: ["id": id]) }
    }
}
