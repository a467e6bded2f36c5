import ConAir
import Dispatch
import Foundation

/// A store as a chart on the screen of a terminal.
struct SeriesView: Sendable {
    let store: TimeSeriesStore
    let window: SeriesWindowOptions
    let chart: SeriesChartOptions
    let zone: TimeZone
    let terminal: ChartTerminal

    /// Polls and redraws until a signal comes.
    func run() async throws {
        // Of several reasons at once, one is enough.
        let (redraws, redraw) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let telling = Task { [states = store.states] in for await _ in states { redraw.yield() } }
        let resizing = Self.source(SIGWINCH) { redraw.yield() }
        let suspending = Self.source(SIGTSTP) {
            TerminalScreen.suspend()
            redraw.yield()
        }
        defer {
            telling.cancel()
            resizing.cancel()
            suspending.cancel()
            signal(SIGTSTP, SIG_DFL)
            TerminalScreen.leave()
        }
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        try await SeriesFollowing.untilSignal(store, until: window.stop, signals: signals) {
            try TerminalScreen.enter()
            for await _ in redraws { try draw() }
        }
    }

    private func draw() throws {
        let (columns, rows) = Terminal.size(of: STDOUT_FILENO)
        let now = store.sourceTime
        // A source whose clock is behind has nothing to show yet.
        let span = (try? window.window(now: now)) ?? now..<now
        let model = chart.model(store.points, span, step: try window.step, zone: zone)
        let lines = terminal.chart(model, columns: columns, rows: rows - 1).lines
        let status = DisplayText(status, cells: columns, isASCII: terminal.characters == .ascii).text
        try TerminalScreen.draw(Array(lines.prefix(rows - 1)) + [status])
    }

    /// The state of the store in a line.
    private var status: String {
        let state = store.state
        let clock = ZoneClock(zone: zone)
        let next = state.nextAttempt.map { ", next at \(clock.timeOfDay($0))" } ?? ""
        if let error = state.lastError, state.failureCount > 0 {
            let since = state.lastSuccess.map { "no reply since \(clock.timeOfDay($0))" } ?? "no reply yet"
            return "\(since)\(next): \(PrintableText.line("\(error)"))"
        }
        guard let time = state.lastSuccess else { return "waiting for the first reply" }
        return "updated at \(clock.timeOfDay(time))\(next)"
    }

    /// Calls `body` when a signal comes, in place of its usual effect.
    private static func source(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: ForcedExit.queue)
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }
}
