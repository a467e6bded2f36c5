import Foundation
import HeliumConcurrency
import Synchronization

/// The terminal of standard output as a redrawable screen. It uses the alternate screen and hides the cursor.
///
/// ``leave()`` restores the terminal, however the process ends.
final class TerminalScreen: Sendable {
    private enum Phase {
        case away
        case shown
        /// The terminal is restored while the process is stopped.
        case suspended
    }

    private let console: Console
    private let process: any ProcessControl
    private let phase = Guarded(Phase.away)

    // Alternate screen, hidden cursor, and no line wrapping.
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[J"
    private static let leaving = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    init(console: Console, process: any ProcessControl) {
        self.console = console
        self.process = process
    }

    /// Shows an empty screen.
    func enter() throws {
        phase.withLock { $0 = .shown }
        try console.streamUnescaped(Data(Self.entering.utf8))
    }

    /// Replaces the screen contents with these lines.
    func draw(_ lines: [String]) throws {
        let text = lines.joined(separator: "\u{1B}[K\r\n")
        try console.streamUnescaped(Data("\u{1B}[H\(text)\u{1B}[K\u{1B}[J".utf8))
    }

    /// Restores the previous screen contents. Does nothing if the screen is not shown, or if the terminal does not
    /// accept output.
    func leave() { change(to: .away) }

    /// Restores the terminal, stops the process as Ctrl-Z does, and shows the screen again when the process continues.
    func suspend() {
        change(to: .suspended)
        process.suspend()
        let goesOn = phase.withLock { phase in
            guard phase == .suspended else { return false }
            phase = .shown
            return true
        }
        if goesOn { try? console.streamUnescaped(Data(Self.entering.utf8)) }
    }

    private func change(to next: Phase) {
        let wasShown = phase.withLock { phase in
            defer { phase = phase == .away ? .away : next }
            return phase == .shown
        }
        // A terminal that was stopped with Ctrl-S would block the process.
        var request = pollfd(fd: console.output.fileDescriptor, events: Int16(POLLOUT), revents: 0)
        guard wasShown, poll(&request, 1, 0) > 0 else { return }
        try? console.streamUnescaped(Data(Self.leaving.utf8))
    }
}
