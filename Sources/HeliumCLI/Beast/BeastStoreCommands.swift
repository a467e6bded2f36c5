import ArgumentParser
import MessageBeast

/// The `helium beast wipe` command.
struct BeastWipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove everything from the database. The service keeps its messages. Needs no network."
    )

    @OptionGroup var options: BeastOptions

    @Flag(help: "Confirm the removal.")
    var yes = false

    @Flag(help: "Also discard everything that was not sent yet.")
    var discardUnsent = false

    func validate() throws {
        if !yes { throw ValidationError("wipe removes all stored messages: confirm with --yes") }
    }

    func run() async throws {
        try await options.offline { manager in
            let pending = try await manager.pendingSummary()
            if !pending.isEmpty, !discardUnsent {
                let deletions = BeastPendingDeletions(pending)?.text ?? "0 deletions"
                throw CommandFailure(
                    """
                    \(pending.messages) messages, \(pending.actions) actions, \(pending.files) files, \
                    \(deletions) and \(pending.drafts) drafts were not sent yet: send them, or give \
                    --discard-unsent
                    """
                )
            }
            try await manager.wipe()
        }
    }
}

/// The `helium beast doctor` command.
struct BeastDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the database and its indexes. Exits with status 1 if something is wrong. Needs no network."
    )

    @OptionGroup var options: BeastOptions

    @Flag(help: "First rebuild everything that is derived from the messages: indexes, hashtags, places.")
    var rebuild = false

    @Option(
        help: ArgumentHelp(
            """
            Export all readable content to this file, also from a damaged database. The database is not changed. - is \
            standard output.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var export: String?

    @Flag(help: "Replace the file of --export if it exists.")
    var force = false

    func validate() throws {
        if rebuild, export != nil { throw ValidationError("--rebuild and --export exclude each other") }
        if export == "" { throw ValidationError("--export is empty: give the path of a file") }
        if let export { try BeastExport.validate(export, "--export", options) }
        if force, export == nil { throw ValidationError("--force is for --export") }
    }

    /// The result of a check.
    private struct Report: Encodable {
        let problems: [String]
    }

    func run() async throws {
        if let export { return try await salvage(to: export) }
        if !rebuild { return try await options.reading(check) }
        try await options.offline { manager in
            try await manager.rebuild()
            try await check(manager)
        }
    }

    private func check(_ manager: MessageManager) async throws {
        let problems = try await manager.check()
        try options.show(Report(problems: problems)) {
            problems.isEmpty ? "no problems" : problems.map(OutputText.init(line:)).joinedLines()
        }
        if !problems.isEmpty { throw ExitCode(1) }
    }

    /// The result of an export of the readable parts.
    private struct Salvage: Encodable {
        let exported: BeastExport
        let problems: [String]
    }

    /// Works without an engine, because an engine cannot open a damaged database.
    private func salvage(to file: String) async throws {
        try BeastExport.checkTarget(file, force: force)
        try await options.performOffline { _ in
            let database = try options.existingPath()
            let report = try await BeastExport.write(to: file) { path, register in
                try MessageManager.salvage(database, to: path, temporaryFile: register)
            }
            let exported = BeastExport(report.summary)
            try options.showExport(Salvage(exported: exported, problems: report.problems), to: file) {
                ([exported.line] + report.problems.map(OutputText.init(line:))).joinedLines()
            }
            if !report.problems.isEmpty { throw ExitCode(1) }
        }
    }
}
