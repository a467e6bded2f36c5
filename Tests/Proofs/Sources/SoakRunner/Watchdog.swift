import Foundation
import HeliumKit
import Synchronization

@testable import TestSupport

/// On a thread of its own, so that no blocked task can keep it from barking.
final class Watchdog: Sendable {
    private static let patience = Duration.seconds(60)

    private let ledger: Ledger
    private let isStopped = Atomic(false)

    init(ledger: Ledger) { self.ledger = ledger }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    func start() {
        Thread.detachNewThread {
            let start = ContinuousClock.now
            var told = start
            while !self.isStopped.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: 0.5)
                let now = ContinuousClock.now
                self.check(now)
                guard now - told >= .seconds(10) else { continue }
                told = now
                let seconds = (now - start).components.seconds
                say(
                    "soak: \(seconds) s: \(self.ledger.started) started, \(self.ledger.ended) ended,",
                    "\(self.ledger.openCount) open, \(Footprint.now)"
                )
            }
        }
    }

    private func check(_ now: ContinuousClock.Instant) {
        let open = ledger.open
        guard let oldest = open.first, now - oldest.since > Self.patience || now - ledger.lastEnd > Self.patience else {
            return
        }
        say("soak: HANG: of \(open.count) open calls the oldest are")
        for call in open.prefix(20) { say("    \(call.name), for \((now - call.since).components.seconds) s") }
        exit(1)
    }
}
