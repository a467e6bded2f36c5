internal import GRDB
internal import HeliumServerKit

/// The tables of the store in a transaction.
struct AppNetTables {
    let database: Database

    var apps: AppNetAppTable { AppNetAppTable(database: database) }
    var appStreams: AppStreamTable { AppStreamTable(database: database) }
    var attachments: AttachmentTable { AttachmentTable(database: database) }
    var audience: ChannelAudience { ChannelAudience(database: database) }
    var channels: AppNetChannelTable { AppNetChannelTable(database: database) }
    var codes: AuthorizationCodeTable { AuthorizationCodeTable(database: database) }
    var files: FileTable { FileTable(database: database) }
    var filters: FilterTable { FilterTable(database: database) }
    var images: ImageTable { ImageTable(database: database) }
    var interactions: InteractionTable { InteractionTable(database: database) }
    var markers: StreamMarkerTable { StreamMarkerTable(database: database) }
    var marks: PnutMarkTable { PnutMarkTable(database: database) }
    var messages: AppNetMessageTable { AppNetMessageTable(database: database) }
    var pnut: PnutTable { PnutTable(database: database) }
    var polls: PollTable { PollTable(database: database) }
    var posts: PostTable { PostTable(database: database) }
    var presences: PresenceTable { PresenceTable(database: database) }
    var relations: UserRelations { UserRelations(database: database) }
    var revisions: PostRevisionTable { PostRevisionTable(database: database) }
    var settings: SettingTable { SettingTable(database: database) }
    var tokens: AppNetTokenTable { AppNetTokenTable(database: database) }
    var users: AppNetUserTable { AppNetUserTable(database: database) }
}
