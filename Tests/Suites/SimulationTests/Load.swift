import Foundation

/// Threads that compute until the end.
final class Load {
    private let threads: [Thread]

    /// - Parameter niceness: The amount by which the threads give way to others: 0 for an equal share of the processors, 12 for
    ///   less than a tenth of what another thread gets. Default: 0.
    init(niceness: Int32 = 0) {
        threads = (0..<ProcessInfo.processInfo.activeProcessorCount + 1).map { _ in
            Thread {
                #if os(Linux)
                    // Elsewhere it would change the whole process.
                    if niceness > 0 { _ = nice(niceness) }
                #endif
                var number: UInt64 = 1
                while !Thread.current.isCancelled { number = number &* 6_364_136_223_846_793_005 &+ 1 }
            }
        }
        for thread in threads { thread.start() }
    }

    func end() {
        for thread in threads { thread.cancel() }
    }
}
