/// The names of channel types, annotations and members that the engine reads and writes.
package enum MessageBeastNames {
    /// The type of action channels.
    package static let actionChannelType = "com.alwaysallthetime.action"
    /// The type of a journal, an example of a content channel.
    package static let journalChannelType = "net.app.ohai.journal"

    /// The annotation of action channels: `action_type` and `channel_id` of the target channel.
    package static let actionMetadata = "com.alwaysallthetime.action.metadata"
    /// The annotation of action messages: the `id` of the target message.
    package static let targetMessage = "com.alwaysallthetime.action.target_message"
    /// The annotation of messages and files that contains the token of their creation.
    package static let token = "com.alwaysallthetime.messagebeast.token"

    /// The annotation of a display date.
    package static let displayDate = "net.app.ohai.displaydate"
    /// The annotation of a place described by the writer.
    package static let ohaiLocation = "net.app.ohai.location"
    /// The annotation of a check-in.
    package static let checkin = "net.app.core.checkin"
    /// The annotation of coordinates.
    package static let geolocation = "net.app.core.geolocation"
    /// The annotation of embedded content.
    package static let oembed = "net.app.core.oembed"
    /// The annotation of attached files.
    package static let attachments = "net.app.core.attachments"

    /// The member that the service replaces by a file.
    package static let fileReplacement = "+net.app.core.file"
    /// The member that the service replaces by a list of files.
    package static let fileListReplacement = "+net.app.core.file_list"
    /// The member that the service replaces by a place.
    package static let placeReplacement = "+net.app.core.place"
    /// The list of files with which the service replaced ``fileListReplacement``.
    package static let fileList = "net.app.core.file_list"
}
