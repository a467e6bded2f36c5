internal import GRDB

extension AppNetSchema.Migration {
    /// What the rest of pnut's calls keep: polls, revisions, presence in channels, marks, attachments (§6.2, §6.3).
    static let pnutService = Self(name: "pnut-service") { database in
        try PollTable.createTables(database)
        try PostRevisionTable.createTables(database)
        try PresenceTable.createTables(database)
        try PnutMarkTable.createTables(database)
        try AttachmentTable.createTables(database)
    }
}
