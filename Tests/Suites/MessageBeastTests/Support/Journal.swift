import AppNet
import Foundation
import GRDB
import GRDBSQLite
import HeliumDatabase
import Testing

@testable import MessageBeast

/// A database with a channel of messages, for tests.
struct Journal {
    static let channel: AppNetChannel.ID = 100
    static let actions: AppNetChannel.ID = 200
    static let start = Date(timeIntervalSince1970: 1_400_000_000)
    static let mood = Annotation(type: "net.example.mood", value: ["level": 1])

    let beast: BeastDatabase
    var configuration: MessageManagerConfiguration
    var now = Milliseconds(1_700_000_000_000)

    var writer: any DatabaseWriter { beast.access.database }

    init(_ beast: BeastDatabase, _ configuration: MessageManagerConfiguration) throws {
        self.beast = beast
        self.configuration = configuration
        try writer.write { database in
            try Self.saveChannels(in: database)
            // A new engine has nothing to derive again.
            _ = try Rederivation(configuration: configuration, now: now).step(in: database)
        }
    }

    /// A database in memory, with everything derived unless told otherwise.
    init(_ configure: (inout MessageManagerConfiguration) -> Void = { _ in }) throws {
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = [MessageBeastNames.oembed, "net.example.mood"]
        configure(&configuration)
        try self.init(.memory(account: "1"), configuration)
    }

    static func saveChannels(in database: Database) throws {
        let table = ChannelTable(database: database)
        try table.save(
            ChannelRecord(
                id: channel.text,
                kind: .private,
                type: MessageBeastNames.journalChannelType,
                json: "{}",
                queryParameters: "{}"
            )
        )
        try table.save(
            ChannelRecord(
                id: actions.text,
                kind: .action,
                type: MessageBeastNames.actionChannelType,
                actionType: "favorite",
                targetChannelID: channel.text,
                json: "{}",
                queryParameters: "{}"
            )
        )
    }

    // MARK: Storing

    /// Stores messages as a page of the service: newest first.
    @discardableResult
    func store(
        _ messages: [Message],
        in channel: AppNetChannel.ID = channel
    ) throws -> IngestSummary {
        let page = try messages.map { try IncomingMessage($0, configuration: configuration, now: now.date) }
        return try writer.write { database in
            let record = try #require(try ChannelTable(database: database).channel(channel.text))
            return try PageIngest(
                channel: record,
                configuration: configuration,
                now: now,
                random: .seeded(1)
            ).store(page, in: database)
        }
    }

    /// Returns the loops that the writes since the last call wake.
    func woken() throws -> Set<EngineLoop> {
        try writer.write { Set(try DueRows(database: $0).take(by: nil)) }
    }

    /// A message of the service, written `seconds` after the start.
    static func message(
        _ id: Int,
        _ text: String? = "A text",
        at seconds: Double? = nil,
        annotations: [Annotation]? = nil
    ) -> Message {
        Message(
            id: Message.ID(id),
            channelID: channel,
            user: nil,
            createdAt: start.addingTimeInterval(seconds ?? Double(id)),
            text: text,
            entities: text.flatMap { TextProcessor().process($0).entities },
            annotations: annotations,
            isMachineOnly: text == nil ? true : nil
        )
    }

    /// A message of the action channel.
    static func action(_ id: Int, on target: Int?) -> Message {
        var message = message(id, nil)
        message.channelID = actions
        if let target { message.addTargetMessage(Message.ID(target)) }
        return message
    }

    /// Inserts an unsent message the way the outbox will.
    @discardableResult
    func insertUnsent(
        _ token: String,
        _ text: String,
        at date: Date = start,
        kind: String = "unsent",
        sequence: Int64 = 1,
        dependingOn dependency: Int64? = nil,
        in channel: AppNetChannel.ID = channel,
        state: String = "queued"
    ) throws -> Int64 {
        let message = Message(text: text)
        return try writer.write { database in
            try database.execute(
                sql: """
                    INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, client_token,
                        json_version, text, json)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
                    """,
                arguments: [
                    token, channel.text, Milliseconds(date).value, (1 << 62) + sequence, Milliseconds(date).value,
                    kind, token, kind == "draft" ? nil : text, try IncomingMessage.text(of: message),
                ]
            )
            let localID = database.lastInsertedRowID
            if kind != "draft" {
                try WordIndex.messages.insert(IndexedText.words(of: text), of: localID, in: database)
            }
            if kind == "unsent" {
                try database.execute(
                    sql: """
                        INSERT INTO outbox (local_id, queue_seq, state, attempts, depends_on_local_id)
                        VALUES (?, ?, ?, 2, ?)
                        """,
                    arguments: [localID, sequence, state, dependency]
                )
            }
            return localID
        }
    }

    // MARK: Reading

    func read<Value>(_ body: (MessageReader) throws -> Value) throws -> Value {
        try writer.read { try body(MessageReader(database: $0, configuration: configuration)) }
    }

    func list<Value>(_ body: (InstanceReader) throws -> Value) throws -> Value {
        try writer.read { try body(InstanceReader(database: $0, configuration: configuration)) }
    }

    func sql<Value: DatabaseValueConvertible>(_ sql: String, as type: Value.Type = Value.self) throws -> [Value] {
        try writer.read { try Value.fetchAll($0, sql: sql) }
    }

    func ids(_ messages: [MessagePlus]) -> [Int] { messages.map { $0.message.id?.number ?? -1 } }

    func search(_ text: String, limit: Int? = nil) throws -> [Int] {
        try read { ids(try $0.search(text: text, in: Self.channel, limit: limit).map(\.message)) }
    }

    /// All rows of all tables, those of the indexes aside.
    func dump() throws -> [String] {
        try writer.read { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_words%' ESCAPE '\\'
                    ORDER BY name
                    """
            )
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map { "\(table): \($0)" }
            }
        }
    }

    /// Upgrades the indexes of an older store.
    func upgrade() throws {
        while try writer.write({ try IndexUpgrade(database: $0).step() }) != nil {}
    }

    /// Fails for any damage of the database and its indexes.
    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let problems = try writer.write { try StoreCheck(database: $0).problems() }
        #expect(problems == [], sourceLocation: sourceLocation)
    }

    /// The steps of SQLite's virtual machine that `body` takes on a connection, preparation aside.
    func steps(_ body: (Database) throws -> Void) throws -> Int {
        try writer.write { database in
            try body(database)
            _ = Self.takeSteps(of: database)
            try body(database)
            return Self.takeSteps(of: database)
        }
    }

    private static func takeSteps(of database: Database) -> Int {
        var steps = 0
        var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
        while let current = statement {
            steps += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 1))
            statement = sqlite3_next_stmt(database.sqliteConnection, current)
        }
        return steps
    }
}
