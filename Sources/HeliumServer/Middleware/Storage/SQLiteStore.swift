internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Devices and todos in a SQLite file in WAL mode: they survive a restart.
final class SQLiteStore: MiddlewareStore {
    private let database: DatabasePool

    /// Opens the file at `path`, creating it and its tables where they are missing.
    ///
    /// - Throws: GRDB's `DatabaseError` where the file cannot be opened or is no database.
    convenience init(path: String) throws { try self.init(ServerDatabase.file(at: path)) }

    /// Makes the tables in `database` where they are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`.
    init(_ database: DatabasePool) throws {
        self.database = database
        try Self.migrator.migrate(database)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Strict tables: no other program can leave a value of another type for our decoding to trip over.
        migrator.registerMigration("middleware-1") { database in
            try database.create(table: "middleware_device", options: .strict) { table in
                table.primaryKey("id", .text)
                table.column("status", .text).notNull()
                table.column("description", .text).notNull()
                table.column("created", .integer).notNull()
                table.column("last_modified", .integer).notNull().indexed()
            }
            try database.create(table: "middleware_todo", options: .strict) { table in
                table.autoIncrementedPrimaryKey("position")
                table.column("id", .text).notNull().unique()
                table.column("name", .text).notNull()
                table.column("status", .text).notNull()
                table.column("group_name", .text).notNull()
                table.column("created", .integer).notNull()
                table.column("last_modified", .integer).notNull()
            }
        }
        return migrator
    }

    func device(_ id: String) async throws -> DeviceRecord? {
        try await database.read { try Self.device(id, in: $0) }
    }

    func save(_ device: DeviceRecord, maximum: Int) async throws {
        try await database.write { database in
            let isNew = try Self.device(device.id, in: database) == nil
            if isNew, try Self.deviceCount(in: database) >= maximum {
                try database.execute(
                    sql: """
                        DELETE FROM middleware_device WHERE id =
                        (SELECT id FROM middleware_device ORDER BY last_modified, id LIMIT 1)
                        """
                )
            }
            try Self.write(device, in: database)
        }
    }

    func updateDevice(
        _ id: String,
        _ change: @escaping @Sendable (inout DeviceRecord) -> Void
    ) async throws -> DeviceRecord? {
        try await database.write { database in
            guard var record = try Self.device(id, in: database) else { return nil }
            change(&record)
            try Self.write(record, in: database)
            return record
        }
    }

    func removeDevice(_ id: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM middleware_device WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }

    func removeDevices(where isRemoved: @escaping @Sendable (DeviceRecord) -> Bool) async throws -> Int {
        try await database.write { database in
            let devices = try Row.fetchAll(database, sql: "SELECT * FROM middleware_device").map(
                DeviceRecord.init(row:)
            )
            let removed = devices.filter(isRemoved)
            for device in removed {
                try database.execute(sql: "DELETE FROM middleware_device WHERE id = ?", arguments: [device.id])
            }
            return removed.count
        }
    }

    func deviceCount() async throws -> Int { try await database.read { try Self.deviceCount(in: $0) } }

    func todo(_ id: String) async throws -> TodoRecord? {
        try await database.read { try Self.todo(id, in: $0) }
    }

    func todos(by order: TodoOrder?, skip: Int, limit: Int) async throws -> [TodoRecord] {
        try await database.read { database in
            // The column comes from a closed set, never from the client's text.
            let column = order.map { $0.column + ", " } ?? ""
            return try Row.fetchAll(
                database,
                sql: "SELECT * FROM middleware_todo ORDER BY \(column)position LIMIT ? OFFSET ?",
                arguments: [limit, skip]
            ).map(TodoRecord.init(row:))
        }
    }

    func insert(_ todo: TodoRecord, maximum: Int) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO middleware_todo (id, name, status, group_name, created, last_modified)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [todo.id, todo.name, todo.status, todo.group, todo.created, todo.lastModified]
            )
            try database.execute(
                sql: """
                    DELETE FROM middleware_todo WHERE position <=
                    (SELECT position FROM middleware_todo ORDER BY position DESC LIMIT 1 OFFSET ?)
                    """,
                arguments: [maximum]
            )
        }
    }

    func updateTodo(
        _ id: String,
        _ change: @escaping @Sendable (inout TodoRecord) -> Void
    ) async throws -> TodoRecord? {
        try await database.write { database in
            guard var todo = try Self.todo(id, in: database) else { return nil }
            change(&todo)
            try database.execute(
                sql: """
                    UPDATE middleware_todo SET name = ?, status = ?, group_name = ?, last_modified = ? WHERE id = ?
                    """,
                arguments: [todo.name, todo.status, todo.group, todo.lastModified, id]
            )
            return todo
        }
    }

    func removeTodo(_ id: String) async throws -> Bool {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM middleware_todo WHERE id = ?", arguments: [id])
            return database.changesCount > 0
        }
    }
}

extension SQLiteStore {
    private static func device(_ id: String, in database: Database) throws -> DeviceRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM middleware_device WHERE id = ?", arguments: [id])
            .map(DeviceRecord.init(row:))
    }

    private static func deviceCount(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM middleware_device") ?? 0
    }

    private static func write(_ device: DeviceRecord, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO middleware_device (id, status, description, created, last_modified)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                device.id, device.status.rawValue, device.description.text(), device.created, device.lastModified,
            ]
        )
    }

    private static func todo(_ id: String, in database: Database) throws -> TodoRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM middleware_todo WHERE id = ?", arguments: [id])
            .map(TodoRecord.init(row:))
    }
}

extension DeviceRecord {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"],
            // A status or a description that another program wrote badly must not open a closed device.
            status: Status(rawValue: row["status"]) ?? .disabled,
            description: JSONValue.parse(row["description"]) ?? .object([:]),
            created: row["created"],
            lastModified: row["last_modified"]
        )
    }
}

extension TodoRecord {
    fileprivate init(row: Row) {
        self.init(
            id: row["id"],
            name: row["name"],
            status: row["status"],
            group: row["group_name"],
            created: row["created"],
            lastModified: row["last_modified"]
        )
    }
}

extension TodoOrder {
    fileprivate var column: String {
        switch self {
        case .id: "id"
        case .name: "name"
        case .status: "status"
        case .group: "group_name"
        case .created: "created"
        case .lastModified: "last_modified"
        }
    }
}
