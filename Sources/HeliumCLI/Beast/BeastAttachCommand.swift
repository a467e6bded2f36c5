import AppNet
import ArgumentParser
import MessageBeast

/// The `helium beast attach FILE…` command.
struct BeastAttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Write a message with files: store it with copies of them, upload these, and send it.",
        discussion: "The files may be changed or removed as soon as the command has ended, also with --offline."
    )

    @Argument(help: ArgumentHelp("The files.", valueName: "file"))
    var files: [String]

    @Option(help: "The text, or - for standard input.")
    var text: MessageText

    @Option(help: ArgumentHelp("The purpose of the files: a reverse domain name.", valueName: "type"))
    var type = "com.example.attachment"

    @Option(help: ArgumentHelp("The media type. Default: by the extension of each file.", valueName: "type"))
    var mediaType: String?

    @Flag(help: "Embed the files (net.app.core.oembed) instead of attaching them.")
    var embed = false

    @OptionGroup var options: BeastOptions
    @OptionGroup var sending: BeastSendingOptions

    func validate() throws {
        if files.isEmpty { throw ValidationError("no file: name at least one") }
        if files.contains("") { throw ValidationError("the name of a file is empty") }
        for path in files { try FilePath.check(path, for: "a file") }
        if text.isEmpty { throw ValidationError("--text is empty") }
    }

    func run() async throws {
        let message = Message(text: try await text.read())
        try await sending.perform(options) { manager, channel in
            var attachments: [PendingFileAttachment] = []
            for path in files {
                let file = try await manager.stage(
                    fileAtPath: CommandContext.current.path(path),
                    type: type,
                    mimeType: mediaType
                )
                attachments.append(PendingFileAttachment(pendingFileID: file.id, isOEmbed: embed))
            }
            return try await manager.create(message, in: channel, attachments: attachments)
        }
    }
}
