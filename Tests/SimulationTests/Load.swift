import Foundation

/// Threads that compute until the end.
final class Load {
    private let threads: [Thread]

    init() {
        threads = (0..<ProcessInfo.processInfo.activeProcessorCount + 1).map { _ in
            Thread {
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
