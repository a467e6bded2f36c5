internal import Foundation
internal import GRDB
internal import HeliumDatabase
internal import HeliumJSON
internal import HeliumServerKit

/// The database tables of a server: the objects of the scopes, the sessions, and the unacknowledged messages of each
/// session.
struct JetstreamStore: Sendable {
    /// A function that creates an engine with stored state.
    typealias EngineFactory = @Sendable (StoredState) throws -> JetstreamEngine

    let access: DatabaseAccess

    init(_ access: DatabaseAccess) { self.access = access }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("jetstream-1") { database in
            try database.execute(
                sql: """
                    CREATE TABLE jetstream_setting (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) STRICT;
                    CREATE TABLE jetstream_object (
                        number INTEGER PRIMARY KEY NOT NULL, scope TEXT NOT NULL, uuid TEXT NOT NULL, class TEXT NOT NULL,
                        UNIQUE (scope, uuid)
                    ) STRICT;
                    CREATE TABLE jetstream_value (
                        object INTEGER NOT NULL REFERENCES jetstream_object ON DELETE CASCADE, name TEXT NOT NULL,
                        value TEXT NOT NULL, PRIMARY KEY (object, name)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE jetstream_session (
                        id INTEGER PRIMARY KEY NOT NULL, token TEXT NOT NULL UNIQUE, connection TEXT NOT NULL,
                        parameters TEXT NOT NULL, client INTEGER NOT NULL DEFAULT 0, server INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE TABLE jetstream_fetch (
                        session INTEGER NOT NULL REFERENCES jetstream_session ON DELETE CASCADE, number INTEGER NOT NULL,
                        scope TEXT NOT NULL, PRIMARY KEY (session, number)
                    ) STRICT, WITHOUT ROWID;
                    CREATE TABLE jetstream_body (number INTEGER PRIMARY KEY NOT NULL, bytes BLOB NOT NULL) STRICT;
                    CREATE TABLE jetstream_message (
                        session INTEGER NOT NULL REFERENCES jetstream_session ON DELETE CASCADE, position INTEGER NOT NULL,
                        kind TEXT NOT NULL, number INTEGER, body INTEGER, bytes BLOB, PRIMARY KEY (session, position)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX jetstream_message_body ON jetstream_message (body) WHERE body IS NOT NULL;
                    """
            )
        }
        // The address that has the session in its share (`AddressShare`): only of IPv4 the whole. It is deleted with the
        // session.
        migrator.registerMigration("jetstream-2") { database in
            try database.execute(sql: "ALTER TABLE jetstream_session ADD COLUMN address TEXT NOT NULL DEFAULT ''")
        }
        return migrator
    }
}

// MARK: Writing

extension JetstreamStore {
    /// Writes changes in one transaction.
    func write(_ changes: [StoreChange]) async throws {
        try await access.write { database in
            for change in changes { try Self.write(change, database) }
        }
    }

    /// Creates the engine with the stored state, and writes what is new: its epoch, and trees that are not in the store.
    func open(_ make: EngineFactory) throws -> JetstreamEngine {
        let (engine, changes) = try access.database.read { try Self.restore($0, make) }
        try access.database.write { try Self.begin(engine, changes, $0) }
        return engine
    }

    /// Creates the engine again with the stored state.
    ///
    /// - Parameter lastSession: The last session number that was used. It is not used again.
    /// - Returns: The engine, and the changes to pass to ``resume(_:_:)``.
    func restore(
        after lastSession: Int,
        _ make: @escaping EngineFactory
    ) async throws -> (engine: JetstreamEngine, changes: [StoreChange]) {
        try await access.read { try Self.restore($0, after: lastSession, make) }
    }

    /// Writes the first changes of a restored engine, which shows whether the store can be written.
    func resume(_ engine: JetstreamEngine, _ changes: [StoreChange]) async throws {
        try await access.write { database in
            try Self.begin(engine, changes, database)
            // A transaction that changes nothing would also succeed on a full disk.
            try database.execute(
                sql: """
                    INSERT INTO jetstream_setting (name, value) VALUES ('recoveries', '1')
                    ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1
                    """
            )
        }
    }

    private static func restore(
        _ database: Database,
        after lastSession: Int = 0,
        _ make: EngineFactory
    ) throws -> (engine: JetstreamEngine, changes: [StoreChange]) {
        var state = try StoredState(database)
        state.lastSession = max(state.lastSession, lastSession)
        var engine = try make(state)
        // The engine that has emitted the changes: it must not emit them again.
        let changes = engine.handle(.timer, at: .zero).compactMap(\.storeChange)
        return (engine, changes)
    }

    private static func begin(_ engine: JetstreamEngine, _ changes: [StoreChange], _ database: Database) throws {
        // A value that cannot be read is replaced.
        try database.execute(
            sql: "INSERT OR REPLACE INTO jetstream_setting (name, value) VALUES ('epoch', ?)",
            arguments: [engine.epoch]
        )
        for change in changes { try write(change, database) }
    }

    private static func write(_ change: StoreChange, _ database: Database) throws {
        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try database.cachedStatement(sql: sql).execute(arguments: arguments)
        }
        switch change {
        case .addObject(let scope, let id, let className, let properties):
            // The row of an object that was left out when the scope was restored: the scope file no longer reaches it.
            try run("DELETE FROM jetstream_object WHERE scope = ? AND uuid = ?", [scope, id.text])
            try run(
                "INSERT INTO jetstream_object (scope, uuid, class) VALUES (?, ?, ?)",
                [scope, id.text, className]
            )
            try setProperties(properties, of: database.lastInsertedRowID, database)
        case .setProperties(let scope, let id, let properties):
            let sql = "SELECT number FROM jetstream_object WHERE scope = ? AND uuid = ?"
            guard let number = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [scope, id.text])
            else {
                return
            }
            try setProperties(properties, of: number, database)
        case .removeObject(let scope, let id):
            try run("DELETE FROM jetstream_object WHERE scope = ? AND uuid = ?", [scope, id.text])
        case .addSession(let info, let token):
            try run(
                "INSERT INTO jetstream_session (id, token, connection, parameters) VALUES (?, ?, ?, ?)",
                [info.id, token, JSONValue.object(info.connection).text(), JSONValue.object(info.parameters).text()]
            )
        case .assign(let session, let client):
            try run("UPDATE jetstream_session SET address = ? WHERE id = ?", [client, session])
        case .removeSession(let id):
            try removeMessages("session = ?", [id], database)
            try run("DELETE FROM jetstream_session WHERE id = ?", [id])
        case .counters(let session, let client, let server):
            try run("UPDATE jetstream_session SET client = ?, server = ? WHERE id = ?", [client, server, session])
        case .fetched(let session, let scopeIndex, let scope):
            try run(
                "INSERT INTO jetstream_fetch (session, number, scope) VALUES (?, ?, ?)",
                [session, scopeIndex, scope]
            )
        case .retain(let session, let message):
            let isShared = message.body.number > 0
            if isShared {
                try run(
                    "INSERT OR IGNORE INTO jetstream_body (number, bytes) VALUES (?, ?)",
                    [message.body.number, Data(message.body.bytes)]
                )
            }
            try run(
                """
                INSERT INTO jetstream_message (session, position, kind, number, body, bytes) VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    session, message.index, message.kind.rawValue, message.number,
                    isShared ? message.body.number : nil, isShared ? nil : Data(message.body.bytes),
                ]
            )
        case .prune(let session, let index):
            try removeMessages("session = ? AND position <= ?", [session, index], database)
        }
    }

    private static func setProperties(_ properties: JSONObject, of object: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO jetstream_value (object, name, value) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """
        )
        for (name, value) in properties { try statement.execute(arguments: [object, name, value.text()]) }
    }

    /// Removes messages, and the bodies that no other session needs.
    private static func removeMessages(
        _ condition: String,
        _ arguments: StatementArguments,
        _ database: Database
    ) throws {
        let messages = "SELECT body FROM jetstream_message WHERE \(condition) AND body IS NOT NULL"
        let numbers = try Int64.fetchAll(database.cachedStatement(sql: messages), arguments: arguments)
        try database.cachedStatement(sql: "DELETE FROM jetstream_message WHERE \(condition)").execute(
            arguments: arguments
        )
        let removal = try database.cachedStatement(
            sql: """
                DELETE FROM jetstream_body WHERE number = ?
                AND NOT EXISTS (SELECT 1 FROM jetstream_message WHERE body = jetstream_body.number)
                """
        )
        for number in Set(numbers).sorted() { try removal.execute(arguments: [number]) }
    }
}
