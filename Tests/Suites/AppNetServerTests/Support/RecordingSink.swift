import Synchronization

@testable import AppNetServer

/// A consumer that keeps its frames.
final class RecordingSink: FrameSink {
    let number: Int
    private let taken = Mutex<[String]>([])
    private let ended = Mutex(false)

    init(number: Int = 1) { self.number = number }

    var texts: [String] { taken.withLock { $0 } }
    var isEnded: Bool { ended.withLock { $0 } }
    var fill: Double { 0 }
    func send(_ frame: [UInt8]) { taken.withLock { $0.append(String(decoding: frame, as: UTF8.self)) } }
    func end() { ended.withLock { $0 = true } }
    func cut(in frame: [UInt8]) {}
}
