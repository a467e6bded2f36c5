import ArgumentParser
import MessageBeast

/// `helium beast wipe`.
struct BeastWipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wipe",
        abstract: "Remove everything from the database. The service keeps its messages. Needs no network."
    )

    @OptionGroup var options: BeastOptions

    @Flag(help: "Do it.")
    var yes = false

    @Flag(help: "Also if there is something that was not sent yet, which is lost.")
    var discardUnsent = false

    func validate() throws {
        if !yes { throw ValidationError("wipe removes all stored messages: confirm with --yes") }
    }

    func run() async throws {
        try await options.offline { manager in
            let pending = try await manager.pendingSummary()
            if !pending.isEmpty, !discardUnsent {
                throw CommandFailure(
                    """
                    \(pending.messages) messages, \(pending.actions) actions, \(pending.files) files and \
                    \(pending.deletions) deletions were not sent yet: send them, or give --discard-unsent
                    """
                )
            }
            try await manager.wipe()
        }
    }
}

/// `helium beast doctor`.
struct BeastDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the database and its indexes. Exits with status 1 if something is wrong. Needs no network."
    )

    @OptionGroup var options: BeastOptions

    @Flag(help: "First build everything again that is derived from the messages: indexes, hashtags, places.")
    var rebuild = false

    /// The result of a check.
    private struct Report: Encodable {
        let problems: [String]
    }

    func run() async throws {
        try await options.offline { manager in
            if rebuild { try await manager.rebuild() }
            let problems = try await manager.check()
            try options.appNet.show(Report(problems: problems)) {
                problems.isEmpty ? "no problems" : problems.joined(separator: "\n")
            }
            if !problems.isEmpty { throw ExitCode(1) }
        }
    }
}
