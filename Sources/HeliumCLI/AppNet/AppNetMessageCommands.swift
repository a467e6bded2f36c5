import AppNet
import ArgumentParser
import Foundation

/// The `helium appnet messages CHANNEL` command.
struct AppNetMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "List the newest messages of a channel, oldest first."
    )

    @Argument(help: "The channel's id.")
    var channel: AppNetChannel.ID

    @OptionGroup var options: AppNetOptions

    @Option(help: "The maximum number of results; 0 for all.")
    var limit = 20

    @Flag(help: "Only messages newer than the channel's marker.")
    var unread = false

    @Flag(help: "Include annotations. They are shown only as JSON.")
    var annotations = false

    func validate() throws {
        if limit < 0 { throw ValidationError("invalid --limit \(limit): use 0 for all, or a positive number") }
    }

    func run() async throws {
        try await options.perform { client in
            var parameters = GeneralParameters()
            if annotations { parameters.includesAnnotations = true }
            let list = client.messages.list(in: channel, parameters: parameters)
            func show(_ messages: [Message]) throws { try options.show(messages) { AppNetTables.messages(messages) } }
            if unread {
                try await list.unread(limit, show)
            } else {
                try await list.first(limit) { try show($0.reversed()) }
            }
        }
    }
}

/// The `helium appnet send CHANNEL TEXT` command.
struct AppNetSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Write a message to a channel and print its id.",
        discussion:
            "Attached files are uploaded first. If the message cannot be sent then, they remain among your files."
    )

    @Argument(help: "The channel's id.")
    var channel: AppNetChannel.ID

    @Argument(help: "The text, or - for standard input.")
    var text: MessageText

    @OptionGroup var options: AppNetOptions

    @Option(
        name: .customLong("annotation"),
        help: ArgumentHelp("An annotation: {\"type\": …, \"value\": {…}}. Repeatable.", valueName: "json")
    )
    var annotations: [AnnotationArgument] = []

    @Option(name: .customLong("attach"), help: ArgumentHelp("A file to attach. Repeatable.", valueName: "file"))
    var attachments: [String] = []

    @Option(help: ArgumentHelp("The message to reply to.", valueName: "id"))
    var replyTo: Message.ID?

    func run() async throws {
        for path in attachments { try UploadedFile.check(path) }
        let text = try await text.read()
        try await options.perform { client in
            // Validate the message before a file is uploaded, with placeholders of the same form for the files.
            let standIn = FileReference(id: "0", token: Secret("0"))
            let isPossible = draft(text, attaching: attachments.map { _ in standIn })
            try client.messages.validate(isPossible, in: channel)
            var files: [FileReference] = []
            for path in attachments {
                let file = try await UploadedFile(path: path).create(with: client)
                guard let reference = file.reference else {
                    throw CommandFailure("the service returned no token for \(path), so it can't be attached")
                }
                files.append(reference)
            }
            let message = try await client.messages.create(
                draft(text, attaching: files),
                in: channel,
                parameters: GeneralParameters(includesAnnotations: true)
            )
            try options.show(message) { "\(message.id?.text ?? "-")" }
        }
    }

    private func draft(_ text: String, attaching files: [FileReference]) -> Message {
        let wanted = annotations.map(\.annotation) + (files.isEmpty ? [] : [.attachments(files)])
        return Message(text: text, replyTo: replyTo, annotations: wanted.isEmpty ? nil : wanted)
    }
}

/// The `helium appnet read CHANNEL ID` command.
struct AppNetReadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Show a message with its annotations."
    )

    @Argument(help: "The channel's id.")
    var channel: AppNetChannel.ID

    @Argument(help: "The message's id.")
    var id: Message.ID

    @OptionGroup var options: AppNetOptions

    func run() async throws {
        try await options.perform { client in
            let message = try await client.messages.get(
                id,
                in: channel,
                parameters: GeneralParameters(includesAnnotations: true)
            )
            try options.show(message) { AppNetTables.message(message) }
        }
    }
}

/// The `helium appnet delete CHANNEL ID` command.
struct AppNetDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a message.")

    @Argument(help: "The channel's id.")
    var channel: AppNetChannel.ID

    @Argument(help: "The message's id.")
    var id: Message.ID

    @OptionGroup var options: AppNetOptions

    func run() async throws {
        try await options.perform { client in
            let message = try await client.messages.delete(id, in: channel)
            if options.isJSON { try options.show(message) { "" } }
        }
    }
}

/// A failure of a command, with an error message.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
