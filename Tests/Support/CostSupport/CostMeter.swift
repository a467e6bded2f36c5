import CCostProbe
import Foundation
import Synchronization

/// Measures the cost of a piece of work.
protocol CostMeter {
    var unit: String { get }
    /// Costs below this one are not compared.
    var smallest: UInt64 { get }
    /// Whether the same work always costs the same.
    var isExact: Bool { get }
    mutating func cost(_ work: @escaping @Sendable () async -> Void) -> UInt64
}

/// Runs asynchronous work to its end on this thread's time.
func runToEnd(_ work: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    Task {
        await work()
        end.signal()
    }
    end.wait()
}

/// Counts instructions. Callgrind writes each count to a file of its own when the measured function returns.
struct InstructionMeter: CostMeter {
    let unit = "instructions"
    let smallest: UInt64 = 200_000
    let isExact = true
    private let countFile: String
    private var count = 0

    init(countFile: String) { self.countFile = countFile }

    mutating func cost(_ work: @escaping @Sendable () async -> Void) -> UInt64 {
        let box = Unmanaged.passRetained(Box(work))
        defer { box.release() }
        helium_measured_work(
            { context in
                guard let context else { return }
                runToEnd(Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().work)
            },
            box.toOpaque()
        )
        count += 1
        let path = "\(countFile).\(count)"
        defer { unlink(path) }
        guard let cost = Self.summary(of: path) else {
            say("cost: error: Callgrind wrote no count to \(path)")
            exit(2)
        }
        return cost
    }

    /// The number of instructions in a file: the line `summary: N`, which is among the first.
    private static func summary(of path: String) -> UInt64? {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: 4096) else {
            return nil
        }
        for line in head.split(separator: 10) where line.starts(with: "summary: ".utf8) {
            return UInt64(String(decoding: line.dropFirst("summary: ".utf8.count), as: UTF8.self))
        }
        return nil
    }

    private final class Box: Sendable {
        let work: @Sendable () async -> Void
        init(_ work: @escaping @Sendable () async -> Void) { self.work = work }
    }
}

/// Measures processor time of the process: the least of five runs.
struct TimeMeter: CostMeter {
    let unit = "ns"
    let smallest: UInt64 = 2_000_000
    let isExact = false

    mutating func cost(_ work: @escaping @Sendable () async -> Void) -> UInt64 {
        var least = UInt64.max
        for _ in 0..<5 {
            let start = Self.now
            runToEnd(work)
            least = min(least, Self.now - start)
        }
        return least
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
