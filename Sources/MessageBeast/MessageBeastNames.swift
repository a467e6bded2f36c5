/// The names of channel types, annotations and members that the engine reads and writes.
public enum MessageBeastNames {
    /// The type of action channels.
    public static let actionChannelType = "com.alwaysallthetime.action"
    /// The type of a journal, an example of a content channel.
    public static let journalChannelType = "net.app.ohai.journal"

    /// The annotation of action channels: `action_type` and `channel_id` of the target channel.
    public static let actionMetadata = "com.alwaysallthetime.action.metadata"
    /// The annotation of action messages: the `id` of the target message.
    public static let targetMessage = "com.alwaysallthetime.action.target_message"
    /// The annotation of messages and files that contains the token of their creation.
    public static let token = "com.alwaysallthetime.messagebeast.token"

    /// The annotation of a display date.
    public static let displayDate = "net.app.ohai.displaydate"
    /// The annotation of a place described by the writer.
    public static let ohaiLocation = "net.app.ohai.location"
    /// The annotation of a check-in.
    public static let checkin = "net.app.core.checkin"
    /// The annotation of coordinates.
    public static let geolocation = "net.app.core.geolocation"
    /// The annotation of embedded content.
    public static let oembed = "net.app.core.oembed"
    /// The annotation of attached files.
    public static let attachments = "net.app.core.attachments"

    /// The member that the service replaces by a file.
    public static let fileReplacement = "+net.app.core.file"
    /// The member that the service replaces by a list of files.
    public static let fileListReplacement = "+net.app.core.file_list"
    /// The member that the service replaces by a place.
    public static let placeReplacement = "+net.app.core.place"
    /// The list of files with which the service replaced ``fileListReplacement``.
    public static let fileList = "net.app.core.file_list"
}
