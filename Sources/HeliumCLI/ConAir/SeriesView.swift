import ConAir
import Foundation

/// A chart of a store on the screen of a terminal.
struct SeriesView: Sendable {
    let store: TimeSeriesStore
    let window: SeriesWindowOptions
    let chart: SeriesChartOptions
    let zone: TimeZone
    let terminal: ChartTerminal

    /// Polls and redraws until a signal arrives.
    func run() async throws {
        // Several reasons to redraw are combined into one.
        let (redraws, redraw) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let telling = Task { [states = store.states] in for await _ in states { redraw.yield() } }
        let (process, screen) = (CommandContext.current.process, CommandContext.current.screen)
        let restore = process.handleSignals([SIGWINCH, SIGTSTP]) { number in
            if number == SIGTSTP { screen.suspend() }
            redraw.yield()
        }
        defer {
            telling.cancel()
            restore()
            screen.leave()
        }
        let signals = TerminationSignals.standard + [SIGQUIT]
        try await SeriesFollowing.untilSignal(store, until: window.stop, signals: signals) {
            try screen.enter()
            for await _ in redraws { try draw() }
        }
    }

    private func draw() throws {
        let (columns, rows) = Terminal.size(of: Console.current.output)
        let now = store.sourceTime
        // The window is empty if the clock of the source is behind.
        let span = (try? window.window(now: now)) ?? now..<now
        let model = chart.model(store.points, span, step: try window.step, zone: zone)
        let lines = terminal.chart(model, columns: columns, rows: rows - 1).lines
        let status = DisplayText(status, cells: columns, isASCII: terminal.characters == .ascii).text
        try CommandContext.current.screen.draw(Array(lines.prefix(rows - 1)) + [status])
    }

    /// The state of the store as one line.
    private var status: String {
        let state = store.state
        let clock = ZoneClock(zone: zone)
        let next = state.nextAttempt.map { ", next at \(clock.timeOfDay($0))" } ?? ""
        if let error = state.lastError, state.failureCount > 0 {
            let since = state.lastSuccess.map { "no reply since \(clock.timeOfDay($0))" } ?? "no reply yet"
            return "\(since)\(next): \(Console.current.secrets.masking(PrintableText.line("\(error)")))"
        }
        guard let time = state.lastSuccess else { return "waiting for the first reply" }
        return "updated at \(clock.timeOfDay(time))\(next)"
    }
}
