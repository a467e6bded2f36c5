internal import HeliumServerKit

extension AppNetTables {
    /// The tables with documents, for ``EmbeddedServer/problems(inStore:protocols:)``.
    static let stored: [StoredTable] = [
        StoredTable(AppNetUser.self), StoredTable(AppNetApp.self), StoredTable(AppNetToken.self),
        StoredTable(AppNetChannel.self), StoredTable(AppNetMessage.self), StoredTable(PostRecord.self),
        StoredTable(PostRevisionTable.Revision.self), StoredTable(FileRecord.self), StoredTable(AppStreamRecord.self),
        FilterTable.stored, StoredTable(PollRecord.self), StoredTable(PollTable.Response.self),
        StoredTable(AuthorizationCodeTable.Code.self),
    ]
}
