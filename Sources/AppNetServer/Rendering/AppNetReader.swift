internal import GRDB
internal import HeliumServerKit

/// The reader of what the server sends: the user, token, scopes and app, and what they may see.
///
/// An ``AppNetRenderer`` cannot be created without a reader. It asks the reader about each object and returns `nil` for
/// an object that the reader may not see, also inside other objects. Handlers therefore do not check again what they
/// return. The rules for one kind of object are in an extension next to the object. Posts and users do not have any,
/// because all readers may see them.
final class AppNetReader {
    let viewer: AppNetViewer
    let database: Database
    /// The query of the request, which may contain the tokens of files and polls.
    let query: FormFields
    /// Whether the reader is the app stream of an app. It sees what one of the app's users lets the app see, and
    /// nothing about a viewer (Docs/Protocols/AppNet.md §2.13).
    let isAppStream: Bool
    /// The last channel of which an app was asked. A page of messages asks for each message.
    var lastEntrusted: (channel: AppNetChannel, isEntrusted: Bool)?

    init(_ viewer: AppNetViewer, _ database: Database, query: FormFields = FormFields()) {
        self.viewer = viewer
        self.database = database
        self.query = query
        isAppStream = false
    }

    /// Creates the reader of an app's streams.
    init(appStreamOf client: String, _ database: Database) {
        viewer = AppNetViewer(client: client)
        self.database = database
        query = FormFields()
        isAppStream = true
    }

    var tables: AppNetTables { AppNetTables(database: database) }

    /// Whether objects contain members about the viewer.
    var isPersonal: Bool { !isAppStream }

    /// Returns whether a user gave the reader's app a token that meets a condition.
    func isEntrusted(by user: Int64?, _ condition: (AppNetToken) throws -> Bool = { _ in true }) throws -> Bool {
        guard let user, let client = viewer.client else { return false }
        return try tables.tokens.tokens(of: user, client: client).contains(where: condition)
    }
}
