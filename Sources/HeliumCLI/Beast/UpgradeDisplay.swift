import HeliumConcurrency
import MessageBeast
import Synchronization

/// Shows the upgrade of an older database: a line that changes on a terminal, and otherwise one line.
final class UpgradeDisplay: Sendable {
    private let terminal: Terminal
    private let isLineOpen = Guarded(false)

    private init(_ terminal: Terminal) { self.terminal = terminal }

    /// Starts an engine, and shows the progress if its database has to be upgraded.
    static func start(_ manager: MessageManager, _ terminal: Terminal = .standardError) async throws {
        guard try await manager.needsUpgrade() else { return try await manager.start() }
        let display = Self(terminal)
        if !terminal.isTerminal {
            Console.current.note(
                "helium: upgrading the search index of the database; an interrupted upgrade continues later"
            )
        }
        let events = manager.events
        let showing = Task {
            for await event in events {
                if case .storeUpgrading(let progress) = event { display.show(progress) }
            }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await manager.start())
        } catch {
            result = .failure(error)
        }
        showing.cancel()
        await showing.value
        display.finish()
        try result.get()
    }

    private func show(_ progress: UpgradeProgress) {
        guard terminal.isTerminal else { return }
        terminal.redraw(OutputText(line: Self.line(progress, width: terminal.width)))
        isLineOpen.withLock { $0 = true }
    }

    /// Ends the progress line, so that later output begins on a new line.
    private func finish() {
        isLineOpen.withLock { isOpen in
            if isOpen { terminal.write("\n") }
            isOpen = false
        }
    }

    /// Returns the text `upgrading the search index: 47 %`, or a shorter one on a narrow terminal.
    static func line(_ progress: UpgradeProgress, width: Int) -> String {
        let share = progress.isComplete ? 1 : Double(progress.completedRows) / Double(max(progress.totalRows, 1))
        let percent = "\(Int(min(max(share, 0), 1) * 100)) %"
        let text = "upgrading the search index: \(percent)"
        return text.count < width ? text : percent.count < width ? percent : ""
    }
}
