import AppNet
import ArgumentParser
import HeliumKit
import MessageBeast

/// The `helium beast init` command.
struct BeastInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create the database, and find or create the user's channels. Existing ones are kept."
    )

    @OptionGroup var options: BeastOptions

    @Option(help: ArgumentHelp("The type of the channel.", valueName: "type"))
    var type = MessageBeastNames.journalChannelType

    @Option(
        name: .customLong("action"),
        help: ArgumentHelp(
            "A type of actions on its messages, for example com.example.favorite. Repeatable.",
            valueName: "type"
        )
    )
    var actionTypes: [String] = []

    func validate() throws {
        if type.isEmpty { throw ValidationError("--type is empty") }
        if actionTypes.contains("") { throw ValidationError("--action is empty") }
    }

    func run() async throws {
        try await options.online(creating: true) { manager, _ in
            let sync = ChannelSyncManager(
                manager: manager,
                specs: TargetWithActionChannelsSpecSet(target: ChannelSpec(type: type), actionTypes: actionTypes)
            )
            try await sync.initializeChannels()
            let channels = await sync.channels
            try options.show(channels.map(\.channel)) { BeastTables.channels(channels) }
        }
    }
}

/// The `helium beast sync` command.
struct BeastSyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract:
            "Send the waiting messages, then fetch all messages the first time, and new ones later. Continues after an interruption.",
        discussion: "Deletions are found with --reconcile, which compares every stored message with the service."
    )

    @OptionGroup var options: BeastOptions

    @Flag(help: "Also remove messages that were deleted on the service.")
    var reconcile = false

    /// The result of one channel.
    private struct Report: Encodable {
        let channel: String
        var messages = 0
        var updated = 0
        var removed = 0
        /// The ids of the messages that could not be decoded, as far as they are known.
        var unreadable: [String] = []
        var unreadableCount = 0
    }

    func run() async throws {
        try await options.online { manager, _ in
            try await manager.updateServiceConfiguration()
            // Sends also messages whose next attempt is scheduled for later, because the user asked for it.
            try await manager.sendAll()
            var reports: [Report] = []
            var failures: [String] = []
            // An error that would be the same for each channel.
            var end: (any Error)?
            // Targets are synchronized before the actions on them, because the channels of actions were created later.
            for channel in try await manager.channels() {
                var report = Report(channel: channel.id.text)
                do {
                    for error in try await sync(channel, with: manager, &report) {
                        let failure = "channel \(channel.id): \(error)"
                        // Two steps may have met the same page.
                        if failures.last != failure { failures.append(failure) }
                    }
                } catch {
                    guard !(error is CancellationError) else { throw error }
                    end = error
                }
                reports.append(report)
                if end != nil { break }
            }
            try options.show(reports) {
                var table = TextTable("CHANNEL", "NEW", "UPDATED", "REMOVED", "UNREADABLE")
                for report in reports {
                    let counts = [report.messages, report.updated, report.removed, report.unreadableCount]
                    table.add(row: [report.channel] + counts.map { "\($0)" })
                }
                return OutputText(table)
            }
            // After the results, so that the failure of one channel does not hide the others.
            for failure in failures { Console.current.note("helium: \(failure)") }
            if let end { throw end }
            if !failures.isEmpty { throw ExitCode.failure }
        }
    }

    /// Synchronizes a channel.
    ///
    /// - Returns: The errors of its steps. A failed step does not stop the others: new messages are fetched even if older
    ///   ones cannot be.
    /// - Throws: `CancellationError`, and the error of a store that cannot be used, which would fail for each channel.
    private func sync(
        _ channel: StoredChannel,
        with manager: MessageManager,
        _ report: inout Report
    ) async throws -> [any Error] {
        var errors: [any Error] = []
        var unreadable = UnreadableItems()
        let display = SyncDisplay(.standardError, expected: channel.channel.counts?.messages)
        defer { display.finish() }
        do {
            for try await progress in manager.fullSync(of: channel.id) {
                report.messages = progress.messages
                unreadable = progress.unreadable
                display.show(progress)
            }
        } catch {
            errors.append(try Self.ofChannel(error))
        }
        if errors.allSatisfy(Self.isOfPage) {
            do {
                switch try await manager.fetchNewest(in: channel.id) {
                case .fetched(let summary):
                    report.messages += summary.inserted
                    report.updated += summary.updated
                    report.removed += summary.removed
                    unreadable.add(summary.unreadable)
                case .blocked(let work):
                    display.finish()
                    Console.current.note("helium: channel \(channel.id) is waiting for \(work.unsent) unsent messages")
                }
            } catch {
                errors.append(try Self.ofChannel(error))
            }
        }
        (report.unreadable, report.unreadableCount) = (unreadable.ids, unreadable.count)
        display.finish()
        unreadable.report(of: "channel \(channel.id): ")
        if reconcile, errors.allSatisfy(Self.isOfPage) {
            do {
                report.removed += try await manager.reconcile(channel.id).removed
            } catch {
                errors.append(try Self.ofChannel(error))
            }
        }
        return errors
    }

    /// Returns an error that concerns one channel, or throws it.
    private static func ofChannel(_ error: any Error) throws -> any Error {
        try Task.checkCancellation()
        switch error {
        case let error as AppNetError where !error.needsSignIn: return error
        case let error as MessageBeastError where [.protocolViolation, .blocked, .notFound].contains(error.kind):
            return error
        default: throw error
        }
    }

    /// Whether an error is about the content of one page, so that other requests for the channel may succeed.
    private static func isOfPage(_ error: any Error) -> Bool {
        (error as? AppNetError)?.kind == .undecodable || (error as? MessageBeastError)?.kind == .protocolViolation
    }
}
