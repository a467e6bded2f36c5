import Foundation
import Testing

@testable import ConAir

@Suite("A reply of a source")
struct SeriesReplyTests {
    @Test("a reply of a source is sorted, finite, and has each time once")
    func normalization() {
        let reply = SeriesReply(
            points: [
                SeriesPoint(time: noon + 2, value: 1), SeriesPoint(time: noon, value: .nan),
                SeriesPoint(time: noon + 1, value: 2), SeriesPoint(time: noon + 2, value: 3),
                SeriesPoint(time: noon + 3, value: .infinity),
            ],
            skippedCount: 4
        )
        #expect(reply.points == [SeriesPoint(time: noon + 1, value: 2), SeriesPoint(time: noon + 2, value: 3)])
        #expect(reply.skippedCount == 6)
    }

    @Test("a reply of a source is extended by the next part, also by an overlapping one")
    func append() {
        var reply = SeriesReply(points: ramp(from: noon, count: 3), skippedCount: 1, serverTime: noon)
        reply.append(SeriesReply(points: ramp(from: noon + 240, count: 2), skippedCount: 2, serverTime: noon + 1))
        #expect(reply.points.map(\.value) == [0, 1, 0, 1])
        #expect(reply.skippedCount == 3 && reply.serverTime == noon + 1)
        reply.append(SeriesReply(points: []))
        #expect(reply.points.count == 4 && reply.serverTime == noon + 1)
    }

    @Test(
        "a window is split into parts of at most 5,000 steps, oldest first",
        arguments: [(0, []), (1, [1]), (5000, [5000]), (5001, [5000, 1]), (12_000, [5000, 5000, 2000])]
            as [(Int, [Int])]
    )
    func parts(steps: Int, expected: [Int]) {
        let window = noon..<(noon + steps * 120)
        let parts = Array(SeriesWindow.Parts(of: window, step: .seconds(120)))
        #expect(parts.map { Int($0.lowerBound.duration(to: $0.upperBound) / .seconds(120)) } == expected)
        #expect(parts.first?.lowerBound ?? noon == noon && parts.last?.upperBound ?? noon == window.upperBound)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
}
