internal import Foundation
internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

// Reading of the stored state. A row that cannot be decoded is reported and left out, with what depends on it: a value
// of an object, an object with its values, or a session with its messages.

extension JetstreamStore {
    /// All tables, for ``EmbeddedServer/problems(inStore:protocols:)``.
    static let storedTables =
        StoredTable.plain("jetstream_setting", "jetstream_fetch", "jetstream_body") + [
            StoredTable(StoredObject.table, selecting: StoredObject.columns) { StoredObject($0) != nil },
            StoredTable(StoredValue.table, selecting: StoredValue.columns) { StoredValue($0) != nil },
            StoredTable(StoredSession.table, selecting: StoredSession.columns) { StoredSession($0) != nil },
            StoredTable(StoredMessage.table, selecting: StoredMessage.columns) { StoredMessage($0) != nil },
        ]
}

extension StoredState {
    /// Reads the state of a store.
    init(_ database: Database) throws {
        epoch = try DatabaseValue.fetchOne(database, sql: "SELECT value FROM jetstream_setting WHERE name = 'epoch'")
            .flatMap(String.fromDatabaseValue)
        // Also of messages without their body, which would get that of another message, and of sessions that are left
        // out.
        lastBody = try max(
            Self.greatest("number", of: "jetstream_body", database),
            Self.greatest("body", of: "jetstream_message", database)
        )
        lastSession = try Self.greatest("id", of: "jetstream_session", database)
        unreadableScopes = try Self.unreadableScopes(database)
        scopes = try Self.scopes(database).filter { [unreadableScopes] in !unreadableScopes.contains($0.key) }
        sessions = try Self.sessions(database)
    }

    /// Returns the greatest number of an indexed column; 0 if there is none.
    private static func greatest(_ column: String, of table: String, _ database: Database) throws -> Int {
        let sql = "SELECT max(\(column)) FROM \(table) WHERE \(column) < ?"
        return try Int.fetchOne(database, sql: sql, arguments: [storedNumberLimit]) ?? 0
    }

    /// Returns the scopes whose root cannot be read.
    private static func unreadableScopes(_ database: Database) throws -> Set<ByteText> {
        var scopes: Set<ByteText> = []
        let roots = try roots(database)
        while let row = try roots.next() {
            if StoredObject(row) == nil, let scope: String = row.value("scope") { scopes.insert(ByteText(scope)) }
        }
        return scopes
    }

    /// Returns the class of each scope's root that can be read.
    static func rootClasses(_ database: Database) throws -> [ByteText: String] {
        var classes: [ByteText: String] = [:]
        let roots = try roots(database)
        while let row = try roots.next() {
            if let root = StoredObject(row) { classes[ByteText(root.scope)] = root.className }
        }
        return classes
    }

    /// Returns the rows of the roots. The root is the first object of a scope that is stored, and it is never deleted.
    private static func roots(_ database: Database) throws -> RowCursor {
        let sql = """
            SELECT \(StoredObject.columns) FROM \(StoredObject.table)
            WHERE number IN (SELECT min(number) FROM \(StoredObject.table) GROUP BY scope)
            """
        return try Row.fetchCursor(database, sql: sql)
    }

    private static func scopes(_ database: Database) throws -> [ByteText: [Object]] {
        var scopes: [ByteText: [Object]] = [:]
        let values = try StoredValue.cursor(database, orderedBy: "object, name")
        let objects = try StoredObject.cursor(database, orderedBy: "number")
        var next = try StoredValue.next(values, database)
        while let stored = try StoredObject.next(objects, database) {
            var object = Object(id: stored.id, className: stored.className, properties: [:])
            while let value = next, value.object <= stored.number {
                if value.object == stored.number { object.properties[value.name] = value.value }
                next = try StoredValue.next(values, database)
            }
            scopes[ByteText(stored.scope), default: []].append(object)
        }
        return scopes
    }

    private static func sessions(_ database: Database) throws -> [Session] {
        var sessions: [Session] = []
        let rows = try StoredSession.cursor(database, orderedBy: "id")
        while let stored = try StoredSession.next(rows, database) {
            guard let scopes = try fetchedScopes(of: stored.session.info.id, database),
                let messages = try messages(of: stored.session.info.id, database)
            else { continue }
            var session = stored.session
            session.scopes = scopes
            session.retained = messages
            sessions.append(session)
        }
        return sessions
    }

    /// Returns the names of the scopes that a session has fetched; `nil` if one cannot be read, because the names are
    /// numbered.
    private static func fetchedScopes(of session: Int, _ database: Database) throws -> [String]? {
        let sql = "SELECT scope FROM jetstream_fetch WHERE session = ? ORDER BY number"
        let names = try DatabaseValue.fetchAll(database, sql: sql, arguments: [session]).map(String.fromDatabaseValue)
        guard names.allSatisfy({ $0 != nil }) else {
            database.reportUnreadable(UnreadableRows.Name(table: "jetstream_fetch", id: Int64(session)))
            return nil
        }
        return names.compactMap { $0 }
    }

    /// Returns the messages that a session's client has not acknowledged; `nil` if one cannot be read, because a client
    /// needs all of them.
    private static func messages(of session: Int, _ database: Database) throws -> [ServerMessage]? {
        var messages: [ServerMessage] = []
        let rows = try StoredMessage.cursor(database, where: "session = ?", [session], orderedBy: "position")
        while let row = try rows.next() {
            guard let stored = StoredMessage(row) else {
                database.reportUnreadable(UnreadableRows.Name(table: StoredMessage.table, id: Int64(session)))
                return nil
            }
            messages.append(stored.message)
        }
        return messages
    }
}

/// The end of the numbers that a server can have stored. Below it, the next number never overflows.
private let storedNumberLimit = 1 << 62

/// A row of a table, as it is read.
private protocol StoredRow {
    static var table: String { get }
    /// The columns in SQL, the id first.
    static var columns: String { get }

    /// Decodes a row; `nil` if it cannot be decoded.
    init?(_ row: Row)
}

extension StoredRow {
    static func cursor(
        _ database: Database,
        where condition: String = "TRUE",
        _ arguments: StatementArguments = [],
        orderedBy order: String
    ) throws -> RowCursor {
        let sql = "SELECT \(columns) FROM \(table) WHERE \(condition) ORDER BY \(order)"
        return try Row.fetchCursor(database, sql: sql, arguments: arguments)
    }

    /// Returns the next row that can be decoded; `nil` at the end. It reports the others.
    static func next(_ rows: RowCursor, _ database: Database) throws -> Self? {
        while let row = try rows.next() {
            if let stored = Self(row) { return stored }
            database.reportUnreadable(
                UnreadableRows.Name(table: table, id: Int64.fromDatabaseValue(row.first?.1 ?? .null))
            )
        }
        return nil
    }
}

private struct StoredObject: StoredRow {
    static let table = "jetstream_object"
    static let columns = "number, scope, uuid, class"

    let number: Int64
    let scope: String
    let id: ObjectID
    let className: String

    init?(_ row: Row) {
        guard let number: Int64 = row.value("number"), let scope: String = row.value("scope"),
            let id = (row.value("uuid") as String?).flatMap({ ObjectID($0) }), let name: String = row.value("class")
        else { return nil }
        self.number = number
        self.scope = scope
        self.id = id
        className = name
    }
}

private struct StoredValue: StoredRow {
    static let table = "jetstream_value"
    static let columns = "object, name, value"

    let object: Int64
    let name: String
    let value: JSONValue

    init?(_ row: Row) {
        guard let object: Int64 = row.value("object"), let name: String = row.value("name"),
            let value = row.document("value")
        else { return nil }
        self.object = object
        self.name = name
        self.value = value
    }
}

/// A session without its scopes and messages.
private struct StoredSession: StoredRow {
    static let table = "jetstream_session"
    static let columns = "id, token, connection, parameters, client, server, address"

    let session: StoredState.Session

    init?(_ row: Row) {
        guard let id = row.number("id"), let token: String = row.value("token"),
            let connection = row.document("connection"), let parameters = row.document("parameters"),
            let clientIndex = row.number("client"), let serverIndex = row.number("server"),
            let address: String = row.value("address")
        else { return nil }
        session = StoredState.Session(
            info: JetstreamSessionInfo(
                id: id,
                connection: connection.objectValue ?? [:],
                parameters: parameters.objectValue ?? [:]
            ),
            token: token,
            client: address,
            clientIndex: clientIndex,
            serverIndex: serverIndex
        )
    }
}

/// A message with its body, which several sessions can share.
private struct StoredMessage: StoredRow {
    static let table = "jetstream_message"
    static let columns = """
        session, position, kind, number, body,
        coalesce(bytes, (SELECT bytes FROM jetstream_body WHERE jetstream_body.number = body)) AS bytes
        """

    let message: ServerMessage

    init?(_ row: Row) {
        guard let position = row.number("position"),
            let kind = (row.value("kind") as String?).flatMap(ServerMessage.Kind.init(rawValue:)),
            let bytes: Data = row.value("bytes")
        else { return nil }
        let body = ServerMessage.Body(number: row.value("body") ?? 0, bytes: Array(bytes))
        message = ServerMessage(kind: kind, index: position, number: row.value("number"), body: body)
    }
}

extension Row {
    /// Returns the value of a column; `nil` for one that is null or not of the type.
    fileprivate func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column])
    }

    /// Returns the count or index in a column; `nil` for one that no server can have stored.
    fileprivate func number(_ column: String) -> Int? {
        (value(column) as Int?).flatMap { 0..<storedNumberLimit ~= $0 ? $0 : nil }
    }

    /// Returns the JSON document of a column; `nil` if the text is not JSON.
    fileprivate func document(_ column: String) -> JSONValue? {
        (value(column) as String?).flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    }
}
