import AppNet
import ArgumentParser
import Foundation
import MessageBeast

/// The `helium beast export FILE` command.
struct BeastExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything in the database to a file, as JSON Lines. Needs no network.",
        discussion: """
            The file has the messages, everything that was not sent yet with its files, and the tokens of uploaded \
            files. Only its owner can read it. helium beast import restores it.
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup var options: BeastOptions

    @Flag(help: "Replace the file if it exists.")
    var force = false

    func run() async throws {
        try BeastExport.checkTarget(file, force: force)
        let file = CommandContext.current.path(file)
        try await options.reading { manager in
            let summary = try await manager.export(to: file)
            try options.show(BeastExport(summary)) { BeastExport(summary).line }
        }
    }
}

/// The `helium beast import FILE` command.
struct BeastImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Restore an export, or a database of AATTMessageManager. Needs no network.",
        discussion: """
            An export needs a database that does not exist yet, or an empty one of the same account. Either everything \
            is restored or nothing. With --legacy, the file is a SQLite database of AATTMessageManager for iOS or \
            Android, which is added to a database that helium beast init has created. Existing content is kept.
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    @OptionGroup var options: BeastOptions

    @Flag(help: "The file is a database of AATTMessageManager.")
    var legacy = false

    func run() async throws {
        let path = CommandContext.current.path(file)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("there is no file at \(file)")
        }
        if legacy { return try await importLegacy(path) }
        try await options.offline(creating: { try MessageManager.account(ofExport: path) }) { manager in
            let summary = try await manager.restore(from: path)
            try options.show(BeastExport(summary)) { BeastExport(summary).line }
        }
    }

    /// The result of an import of a legacy database.
    private struct Legacy: Encodable {
        let messages: Int
        let unsent: Int
        let drafts: Int
        let deletions: Int
        let files: Int
        let unreadable: Int
    }

    private func importLegacy(_ path: String) async throws {
        try await options.offline { manager in
            let summary = try await manager.importLegacy(from: path)
            let report = Legacy(
                messages: summary.messages,
                unsent: summary.unsent,
                drafts: summary.drafts,
                deletions: summary.deletions,
                files: summary.files,
                unreadable: summary.unreadable
            )
            try options.show(report) {
                """
                \(report.messages) messages, \(report.unsent) unsent, \(report.drafts) drafts, \(report.deletions) deletions, \
                \(report.files) files; \(report.unreadable) could not be read
                """
            }
        }
    }
}

/// The content of an export.
struct BeastExport: Encodable {
    let channels: Int
    let messages: Int
    let unsent: Int
    let deletions: Int
    let files: Int
    let damaged: Int

    init(_ summary: ExportSummary) {
        channels = summary.channels
        messages = summary.messages
        unsent = summary.unsent
        deletions = summary.deletions
        files = summary.files
        damaged = summary.damaged
    }

    var line: String {
        let content =
            "\(channels) channels, \(messages) messages (\(unsent) unsent), \(deletions) deletions, \(files) files"
        return damaged == 0 ? content : "\(content); \(damaged) damaged rows are left out"
    }

    static func checkTarget(_ path: String, force: Bool) throws {
        if !force, FileManager.default.fileExists(atPath: CommandContext.current.path(path)) {
            throw CommandFailure("\(path) exists: name another file, or give --force")
        }
    }
}
