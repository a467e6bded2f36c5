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

    @Argument(help: "The file; - is standard output.", completion: .file())
    var file: String

    @OptionGroup var options: BeastOptions

    @Flag(help: "Replace the file if it exists.")
    var force = false

    func validate() throws { try BeastExport.validate(file, "FILE", options) }

    func run() async throws {
        try BeastExport.checkTarget(file, force: force)
        try await options.reading { manager in
            let summary = try await BeastExport.write(to: file) { path, register in
                try await manager.export(to: path, temporaryFile: register)
            }
            try options.showExport(BeastExport(summary), to: file) { BeastExport(summary).line }
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

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String

    @OptionGroup var options: BeastOptions

    @Flag(help: "The file is a database of AATTMessageManager.")
    var legacy = false

    func run() async throws {
        if file != "-" { return try await restore(from: CommandContext.current.path(file)) }
        // An import reads its file twice.
        do {
            try await PrivateFile.withStandardInput { try await restore(from: $0) }
        } catch {
            throw AppNetOptions.report(error)
        }
    }

    private func restore(from path: String) async throws {
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

extension BeastOptions {
    /// Shows the result of an export; on standard error if the export itself is on standard output.
    func showExport(_ value: some Encodable, to file: String, table: () -> OutputText) throws {
        if file == "-" { return Console.current.note(table()) }
        try show(value, table: table)
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

    var line: OutputText {
        let content: OutputText =
            "\(channels) channels, \(messages) messages (\(unsent) unsent), \(deletions) deletions, \(files) files"
        return damaged == 0 ? content : "\(content); \(damaged) damaged rows are left out"
    }

    /// Checks the options of an export.
    static func validate(_ path: String, _ option: String, _ options: BeastOptions) throws {
        if path == "-", options.isJSON { throw ValidationError("give \(option) as - or --format json, not both") }
    }

    /// Writes an export to a file or terminal, or for `-` to standard output. A signal interrupts it, and no incomplete file remains.
    ///
    /// - Parameter work: Writes the export to a path. It registers a temporary file.
    static func write<Value: Sendable>(
        to file: String,
        _ work:
            @escaping @Sendable (_ path: String, _ register: @escaping @Sendable (String) -> Void) async throws -> Value
    ) async throws -> Value {
        let files = CommandContext.current.temporaryFiles
        if file == "-" { return try await PrivateFile.printing { try await work($0) { files.add($0) } } }
        let path = CommandContext.current.path(file)
        if let terminal = Console.terminal(atPath: path) {
            return try await PrivateFile.printing(to: terminal) { try await work($0) { files.add($0) } }
        }
        return try await TerminationSignals.cancelling { try await work(path) { files.add($0) } }
    }

    static func checkTarget(_ path: String, force: Bool) throws {
        if path == "-" { return }
        if !force, FileManager.default.fileExists(atPath: CommandContext.current.path(path)) {
            throw CommandFailure("\(path) exists: name another file, or give --force")
        }
    }
}
