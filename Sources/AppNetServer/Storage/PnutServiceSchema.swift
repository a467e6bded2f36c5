internal import GRDB

extension AppNetSchema.Migration {
    /// The tables of pnut's other calls: polls, revisions, presence in channels, marks, attachments (AppNet.md §6.2, §6.3).
    static let pnutService = Self(name: "pnut-service") { database in
        try PollTable.createTables(database)
        try PostRevisionTable.createTables(database)
        try PresenceTable.createTables(database)
        try PnutMarkTable.createTables(database)
        try AttachmentTable.createTables(database)
    }
}
