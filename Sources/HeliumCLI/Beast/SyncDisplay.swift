import HeliumConcurrency
import MessageBeast
import Synchronization

/// Shows the progress of a full sync on one line of a terminal. Without a terminal it shows nothing.
final class SyncDisplay: Sendable {
    private let terminal: Terminal
    private let expected: Int?
    private let isLineOpen = Guarded(false)

    /// - Parameter expected: The number of messages according to the service.
    init(_ terminal: Terminal, expected: Int?) {
        self.terminal = terminal
        self.expected = expected
    }

    func show(_ progress: SyncProgress) {
        guard terminal.isTerminal else { return }
        terminal.redraw(OutputText(line: Self.line(progress, expected: expected, width: terminal.width)))
        isLineOpen.withLock { $0 = true }
    }

    /// Ends the progress line, so that later output begins on a new line.
    func finish() {
        isLineOpen.withLock { isOpen in
            if isOpen { terminal.write("\n") }
            isOpen = false
        }
    }

    /// Returns the text `27024  [=========>          ]  47 %  200 messages`, which is never wider than the terminal.
    static func line(_ progress: SyncProgress, expected: Int?, width: Int) -> String {
        // Escaped before its width is used. The service chooses the id.
        let channel = PrintableText.line("\(progress.channelID)")
        let amount = "\(progress.messages) messages"
        let plain = "\(channel)  \(amount)"
        guard let expected, expected > 0 else { return plain.count < width ? plain : "" }
        let share = progress.isComplete ? 1 : min(Double(progress.messages) / Double(expected), 1)
        let percent = "\(Int(share * 100)) %"
        let room = min(width - plain.count - percent.count - 8, 40)
        guard room >= 10 else { return plain.count < width ? plain : "" }
        let done = Int(Double(room) * share)
        let bar = String(repeating: "=", count: done) + String(repeating: " ", count: room - done)
        return "\(channel)  [\(bar)]  \(percent)  \(amount)"
    }
}
