import HeliumKit
import HeliumTesting
import Synchronization
import Testing

@testable import HeliumCLI

@Suite("Progress bar")
struct ProgressBarTests {
    struct Look: Sendable, CustomTestStringConvertible {
        var width = 80
        let completed: Int64
        let total: Int64?
        var speed: Double?
        let line: String

        var testDescription: String { "\(width): \(completed) of \(total ?? -1)" }
    }

    @Test(
        "a progress bar has a line for each width and state, within the terminal's width",
        arguments: [
            Look(
                completed: 2_400_000,
                total: 5_000_000,
                speed: 1_250_000,
                line: "received [================>                 ]  48 %  2.4 MB of 5.0 MB  1.2 MB/s"
            ),
            Look(
                completed: 0,
                total: 999,
                line: "received [>                                       ]   0 %  0 B of 999 B"
            ),
            Look(
                completed: 999,
                total: 1000,
                line: "received [=======================================>]  99 %  999 B of 1.0 kB"
            ),
            Look(
                completed: 1000,
                total: 1000,
                line: "received [========================================] 100 %  1.0 kB of 1.0 kB"
            ),
            // As it gets narrow, speed, amounts, bar and label go, in this order.
            Look(
                width: 50,
                completed: 1,
                total: 2,
                speed: 1000,
                line: "received [=====>    ]  50 %  1 B of 2 B  1.0 kB/s"
            ),
            Look(
                width: 49,
                completed: 1,
                total: 2,
                speed: 1000,
                line: "received [=========>         ]  50 %  1 B of 2 B"
            ),
            Look(width: 34, completed: 1, total: 2, speed: 1000, line: "received [========>       ]  50 %"),
            Look(width: 20, completed: 1, total: 2, speed: 1000, line: "received  50 %"),
            Look(width: 10, completed: 1, total: 2, speed: 1000, line: " 50 %"),
            Look(width: 4, completed: 1, total: 2, speed: 1000, line: ""),
            Look(width: 0, completed: 1, total: 2, line: ""),
            // Of an unknown size.
            Look(completed: 31_400_000_000, total: nil, speed: 999, line: "received 31.4 GB  999 B/s"),
            Look(width: 20, completed: 12_345, total: nil, speed: 999, line: "received 12.3 kB"),
            Look(width: 10, completed: 12_345, total: nil, speed: 999, line: "12.3 kB"),
            Look(width: 5, completed: 12_345, total: nil, speed: 999, line: ""),
            // What a peer may say that makes no sense.
            Look(width: 40, completed: 9, total: 3, line: "received [==========] 100 %  9 B of 3 B"),
            Look(width: 50, completed: 0, total: 0, line: "received [====================] 100 %  0 B of 0 B"),
            Look(width: 50, completed: -1, total: 9, line: "received [>                   ]   0 %  0 B of 9 B"),
            Look(width: 50, completed: 1, total: nil, speed: .infinity, line: "received 1 B"),
            Look(width: 50, completed: 1, total: nil, speed: .nan, line: "received 1 B"),
            Look(width: 50, completed: .max, total: nil, line: "received 9.2 EB"),
        ]
    )
    func line(look: Look) {
        let line = ProgressBar(width: look.width).line(
            "received",
            completed: look.completed,
            total: look.total,
            bytesPerSecond: look.speed
        )
        #expect(line == look.line)
        #expect(line.count < max(1, look.width))
    }

    @Test("a progress bar fits any width and number", arguments: 0...130)
    func fits(width: Int) {
        for total in [nil, 0, 1, 77, 5_000_000, Int64.max] {
            for completed in [0, 1, 4_999_999, Int64.max] {
                for speed in [nil, 0, 1, 1e17] {
                    let line = ProgressBar(width: width).line(
                        "received",
                        completed: completed,
                        total: total,
                        bytesPerSecond: speed
                    )
                    #expect(line.count < max(1, width))
                }
            }
        }
    }

    @Test(
        "sizes have one decimal and a unit",
        arguments: [
            (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (1999, "1.9 kB"), (999_999, "999.9 kB"),
            (1_000_000, "1.0 MB"), (5_242_880, "5.2 MB"), (1_000_000_000, "1.0 GB"), (Int64.max, "9.2 EB"),
        ]
    )
    func size(bytes: Int64, text: String) { #expect("\(ByteCount(bytes))" == text) }

    @Test("the speed of a transfer is the mean since its first report, and restarts with it")
    func speed() {
        var speed = TransferSpeed()
        #expect(speed.bytesPerSecond(1000, at: .seconds(5)) == nil)
        #expect(speed.bytesPerSecond(2000, at: .seconds(5)) == nil)
        #expect(speed.bytesPerSecond(4000, at: .seconds(7)) == 1000)
        #expect(speed.bytesPerSecond(0, at: .seconds(8)) == nil)
        #expect(speed.bytesPerSecond(500, at: .seconds(9)) == 500)
    }
}

@Suite("Progress bar on a terminal")
struct ProgressDisplayTests {
    private final class Screen: Sendable {
        private let text = Guarded("")

        var shown: String { text.withLock { $0 } }

        func terminal(isTerminal: Bool = true) -> Terminal {
            Terminal(isTerminal: isTerminal, width: 40) { more in self.text.withLock { $0 += more } }
        }
    }

    @Test("no progress bar is written without a terminal")
    func noTerminal() {
        let screen = Screen()
        let display = ProgressDisplay(screen.terminal(isTerminal: false))
        #expect(display.handler(.received) == nil)
        display.finish()
        #expect(screen.shown.isEmpty)
    }

    @Test("a progress report overwrites the one before, and each direction has a line of its own")
    func lines() throws {
        let screen = Screen()
        let display = ProgressDisplay(screen.terminal(), clock: TestClock())
        let sent = try #require(display.handler(.sent))
        let received = try #require(display.handler(.received))
        sent(TransferProgress(completed: 1, total: nil))
        sent(TransferProgress(completed: 2, total: nil))
        received(TransferProgress(completed: 3, total: nil))
        display.finish()
        display.finish()
        let end = "\u{1B}[K"
        #expect(screen.shown == "\rsent 1 B\(end)\rsent 2 B\(end)\n\rreceived 3 B\(end)\n")
    }
}
