import HeliumKit
import Synchronization

/// Shows the progress of bodies on one line of a terminal. Without a terminal it shows nothing.
final class ProgressDisplay: Sendable {
    /// The direction of a body.
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

    init(_ terminal: Terminal, clock: any HeliumClock = CommandContext.current.clock) {
        self.terminal = terminal
        self.clock = clock
    }

    /// Returns the progress handler for a transfer; `nil` if there is no terminal.
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
            terminal.redraw(OutputText(line: line))
            state.isLineOpen = true
        }
    }

    /// Ends the progress line, so that later output begins on a new line.
    func finish() {
        state.withLock { state in
            if state.isLineOpen { terminal.write("\n") }
            state = State()
        }
    }
}
