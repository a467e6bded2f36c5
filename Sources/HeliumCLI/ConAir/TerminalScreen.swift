import Foundation
import HeliumConcurrency
import Synchronization

/// The terminal of standard output as a screen that is redrawn: the alternate one, without a cursor.
///
/// ``leave()`` gives the terminal back as it was, whatever ends the process.
enum TerminalScreen {
    private enum Phase {
        case away
        case shown
        /// Given back while the process is stopped.
        case suspended
    }

    private static let phase = Guarded(Phase.away)

    // The alternate screen, no cursor, and lines that are too long are cut off.
    private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[H\u{1B}[J"
    private static let leaving = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Shows an empty screen.
    static func enter() throws {
        phase.withLock { $0 = .shown }
        try Console.stream(Data(entering.utf8))
    }

    /// Shows these lines in place of what is shown.
    static func draw(_ lines: [String]) throws {
        let text = lines.joined(separator: "\u{1B}[K\r\n")
        try Console.stream(Data("\u{1B}[H\(text)\u{1B}[K\u{1B}[J".utf8))
    }

    /// Shows what was shown before. Does nothing if there is no screen, or if the terminal takes no output.
    static func leave() { change(to: .away) }

    /// Gives the terminal back, stops the process as Ctrl-Z does, and takes the terminal again when the process goes on.
    static func suspend() {
        change(to: .suspended)
        // To this thread: sent to the process, another one would take it while this one goes on.
        pthread_kill(pthread_self(), SIGSTOP)
        let goesOn = phase.withLock { phase in
            guard phase == .suspended else { return false }
            phase = .shown
            return true
        }
        if goesOn { try? Console.stream(Data(entering.utf8)) }
    }

    private static func change(to next: Phase) {
        let wasShown = phase.withLock { phase in
            defer { phase = phase == .away ? .away : next }
            return phase == .shown
        }
        // A terminal that was stopped by Ctrl-S would hold the process for ever.
        var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        guard wasShown, poll(&request, 1, 0) > 0 else { return }
        try? Console.stream(Data(leaving.utf8))
    }
}
