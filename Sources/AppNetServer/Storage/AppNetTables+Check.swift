internal import HeliumServerKit

extension AppNetTables {
    /// All tables, for ``EmbeddedServer/problems(inStore:protocols:)``.
    static let stored: [StoredTable] = documents + rows

    private static let documents = [
        StoredTable(AppNetUser.self), StoredTable(AppNetApp.self), StoredTable(AppNetToken.self),
        StoredTable(AppNetChannel.self), StoredTable(AppNetMessage.self), StoredTable(PostRecord.self),
        StoredTable(PostRevisionTable.Revision.self), StoredTable(FileRecord.self), StoredTable(AppStreamRecord.self),
        FilterTable.stored, StoredTable(PollRecord.self), StoredTable(PollTable.Response.self),
        StoredTable(AuthorizationCodeTable.Code.self),
    ]

    private static let rows = StoredTable.plain(
        "appnet_attachment",
        "appnet_block",
        "appnet_channel_mute",
        "appnet_delegate_token",
        "appnet_deletion",
        "appnet_file_content",
        "appnet_file_grant",
        "appnet_follow",
        "appnet_image",
        "appnet_interaction",
        "appnet_marker",
        "appnet_mute",
        "appnet_nsfw",
        "appnet_operation",
        "appnet_post_mention",
        "appnet_post_tag",
        "appnet_removal",
        "appnet_report",
        "appnet_setting",
        "appnet_star",
        "appnet_star_note",
        "appnet_sticky",
        "appnet_subscription",
        "appnet_user_presence"
    )
}
