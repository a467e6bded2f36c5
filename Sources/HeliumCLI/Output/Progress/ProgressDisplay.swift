import HeliumKit
import Synchronization

/// Shows how far bodies have got on one line of a terminal, and nothing where there is none.
final class ProgressDisplay: Sendable {
    /// Which way a body goes.
    enum Direction: String {
        case sent, received
    }

    private struct State {
        var direction: Direction?
        var speed = TransferSpeed()
        var isLineOpen = false
    }

    private let terminal: Terminal
    private let clock: any HeliumClock
    private let state = Guarded(State())

    init(_ terminal: Terminal, clock: any HeliumClock = SystemClock()) {
        self.terminal = terminal
        self.clock = clock
    }

    /// What a transfer is to call; `nil` where nobody would see it.
    func handler(_ direction: Direction) -> (@Sendable (TransferProgress) -> Void)? {
        guard terminal.isTerminal else { return nil }
        return { self.show($0, direction) }
    }

    private func show(_ progress: TransferProgress, _ direction: Direction) {
        state.withLock { state in
            if state.direction != direction {
                if state.isLineOpen { terminal.write("\n") }
                state = State(direction: direction)
            }
            let line = ProgressBar(width: terminal.width).line(
                direction.rawValue,
                completed: progress.completed,
                total: progress.total,
                bytesPerSecond: state.speed.bytesPerSecond(progress.completed, at: clock.uptime)
            )
            // Back to the line's beginning, and what is left of a longer line away.
            terminal.write("\r\(line)\u{1B}[K")
            state.isLineOpen = true
        }
    }

    /// Ends the line, so that what is told next has one of its own.
    func finish() {
        state.withLock { state in
            if state.isLineOpen { terminal.write("\n") }
            state = State()
        }
    }
}
