import Testing

@testable import Cosm

@Suite("Updates of a Cosm subscription")
struct LiveProgressTests {
    /// A feed with one value per datastream, all at that second.
    private func feed(_ second: Int, updated: Int? = nil, title: String? = nil, _ values: [String: Int]) -> Feed {
        Feed(
            title: title,
            updated: updated.map { Timestamp(microseconds: Int64($0) * 1_000_000) },
            datastreams: values.sorted { $0.key < $1.key }.map { id, value in
                Datastream(id: id, currentValue: DatapointValue(value), at: stamp(second))
            }
        )
    }

    private func stream(_ second: Int, _ value: Int) -> Datastream {
        Datastream(id: "temp", currentValue: DatapointValue(value), at: stamp(second))
    }

    private func stamp(_ second: Int) -> Timestamp { Timestamp(microseconds: Int64(second) * 1_000_000) }

    @Test("every push is an update, with the changed members")
    func pushes() {
        var progress = LiveProgress<Feed>(holdLimit: 10)
        let first = progress.push(feed(1, ["a": 1, "b": 1]))
        #expect(first?.origin == .push && first?.followsGap == false && first?.changedDatastreams == ["a", "b"])
        var next = feed(1, ["a": 1, "b": 1])
        next.datastreams?[1].at = stamp(2)
        #expect(progress.push(next)?.changedDatastreams == ["b"])
        #expect(progress.push(next) == nil)
        next.title = "Shed"
        #expect(progress.push(next)?.changedDatastreams == [])
    }

    @Test("an older value is an update while pushes are in order")
    func olderInOrder() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(5, 1))
        #expect(progress.push(stream(4, 2))?.value.currentValue == 2)
    }

    @Test("a read state is an update only if it differs")
    func difference() {
        var progress = LiveProgress<Feed>(holdLimit: 10)
        var known = feed(1, updated: 1, ["a": 1])
        known.status = .live
        _ = progress.push(known)
        progress.beginReading()
        known.status = .frozen
        known.version = "1.0.0"
        #expect(progress.read(known, origin: .resynchronised, isComplete: true) == [])
        progress.beginReading()
        let updates = progress.read(feed(2, updated: 2, ["a": 2]), origin: .resynchronised, isComplete: true)
        #expect(updates.map(\.origin) == [.resynchronised] && updates.first?.changedDatastreams == ["a"])
    }

    @Test("a push older than a read state is no update, and every newer one is")
    func catchingUp() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(1, 1))
        progress.beginReading()
        #expect(progress.push(stream(2, 2)) == nil)
        #expect(progress.push(stream(3, 3)) == nil)
        #expect(progress.push(stream(4, 4)) == nil)
        let updates = progress.read(stream(3, 3), origin: .resynchronised, isComplete: true)
        #expect(updates.map(\.value.currentValue) == [3, 4] && updates.map(\.origin) == [.resynchronised, .push])

        progress.beginReading()
        _ = progress.read(stream(8, 8), origin: .resynchronised, isComplete: true)
        #expect(progress.push(stream(7, 7)) == nil)
        #expect(progress.push(stream(8, 8)) == nil)
        #expect(progress.push(stream(9, 9))?.value.currentValue == 9)
        #expect(progress.push(stream(8, 1))?.value.currentValue == 1)
    }

    @Test("a read state with an older instant is an update, as a clock may have been set back")
    func setBack() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(100, 1))
        progress.beginReading()
        let updates = progress.read(stream(5, 2), origin: .resynchronised, isComplete: true)
        #expect(updates.map(\.value.currentValue) == [2] && !progress.isDoubtful)
        #expect(progress.push(stream(6, 3))?.value.currentValue == 3)
    }

    @Test("an older push puts the state in doubt until a newer push, or a reading with a gap")
    func doubt() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(100, 1))
        progress.beginReading()
        #expect(progress.push(stream(99, 1)) == nil)
        #expect(progress.read(stream(100, 1), origin: .resynchronised, isComplete: true) == [] && progress.isDoubtful)
        #expect(progress.push(stream(101, 2)) != nil && !progress.isDoubtful)

        for (second, told) in [(100, [Int]()), (7, [3])] {
            var progress = LiveProgress<Datastream>(holdLimit: 10)
            _ = progress.push(stream(100, 1))
            progress.beginReading()
            _ = progress.read(stream(100, 1), origin: .resynchronised, isComplete: true)
            #expect(!progress.isDoubtful)
            #expect(progress.push(stream(6, 2)) == nil && progress.isDoubtful)
            progress.beginReading()
            let value = told.isEmpty ? stream(second, 1) : stream(second, told[0])
            let updates = progress.read(value, origin: .resynchronised, isComplete: true)
            #expect(updates.map(\.value.currentValue) == told.map { DatapointValue($0) } && !progress.isDoubtful)
            #expect(updates.allSatisfy { $0.followsGap })
        }
    }

    @Test("a state in doubt that cannot be read is reported as a gap")
    func doubtWithoutReading() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(100, 1))
        progress.beginReading()
        _ = progress.read(stream(100, 1), origin: .resynchronised, isComplete: true)
        _ = progress.push(stream(6, 2))
        #expect(progress.isDoubtful)
        progress.beginReading()
        #expect(progress.push(stream(7, 3)) == nil)
        #expect(progress.readingFailed() == [] && !progress.isDoubtful)
        #expect(progress.push(stream(101, 4))?.followsGap == true)
    }

    @Test("a value that replaced another of the same instant is an update")
    func overwritten() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(1, 1))
        progress.beginReading()
        #expect(progress.read(stream(1, 2), origin: .resynchronised, isComplete: true).count == 1)
        #expect(progress.push(stream(1, 3)) != nil)
    }

    @Test("a possible gap is reported once, with the next update")
    func gap() {
        var progress = LiveProgress<Datastream>(holdLimit: 2)
        progress.beginReading()
        for second in 1...4 { _ = progress.push(stream(second, second)) }
        let updates = progress.readingFailed()
        #expect(updates.map(\.value.currentValue) == [3, 4])
        #expect(updates.map(\.followsGap) == [true, false])

        progress.beginReading()
        let read = progress.read(stream(9, 9), origin: .resynchronised, isComplete: false)
        #expect(read.map(\.followsGap) == [true])
    }

    @Test("each datapoint that was missed is an update with the state of its time")
    func history() {
        var progress = LiveProgress<Feed>(holdLimit: 10)
        _ = progress.push(feed(1, ["a": 1, "b": 1]))
        progress.beginReading()
        let old = progress.history(Datapoint(at: stamp(1), value: 7), of: "a")
        let new = progress.history(Datapoint(at: stamp(2), value: 2), of: "a")
        let again = progress.history(Datapoint(at: stamp(2), value: 2), of: "a")
        #expect(old == nil && again == nil)
        #expect(new?.origin == .history && new?.changedDatastreams == ["a"])
        #expect(new?.value.datastreams?.map(\.currentValue) == [2, 1])
    }

    @Test("pushes between two lost connections come before the second gap")
    func twoGaps() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        _ = progress.push(stream(1, 1))
        progress.beginReading()
        _ = progress.push(stream(3, 3))
        // Lost again, and restored: 4 is missed.
        progress.beginReading()
        _ = progress.push(stream(5, 5))
        let first = progress.read(stream(2, 2), origin: .resynchronised, isComplete: true)
        #expect(first.map(\.value.currentValue) == [2, 3] && progress.isReading)
        #expect(progress.known?.currentValue == 3)
        #expect(progress.history(Datapoint(at: stamp(4), value: 4), of: "temp")?.value.currentValue == 4)
        let second = progress.read(stream(5, 5), origin: .resynchronised, isComplete: true)
        #expect(second.map(\.origin) == [.resynchronised] && !progress.isReading)
    }

    @Test("too many lost connections are reported as a gap")
    func manyGaps() {
        var progress = LiveProgress<Datastream>(holdLimit: 1000)
        for second in 1...200 {
            progress.beginReading()
            _ = progress.push(stream(second, second))
        }
        var updates: [LiveUpdate<Datastream>] = []
        while progress.isReading { updates += progress.read(stream(1, 1), origin: .resynchronised, isComplete: true) }
        #expect(updates.last?.value.currentValue == 200)
        #expect(updates.contains { $0.followsGap })
    }

    @Test("a state that was read only for comparison is no update")
    func baseline() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        progress.beginReading()
        #expect(progress.read(stream(5, 5), origin: nil, isComplete: true) == [])
        progress.beginReading()
        #expect(progress.read(stream(5, 5), origin: .resynchronised, isComplete: true) == [])
        // It may have been under way when the baseline was read: it was never told.
        #expect(progress.push(stream(5, 5))?.origin == .push)
    }

    @Test("the present state is the first update on request")
    func initial() {
        var progress = LiveProgress<Datastream>(holdLimit: 10)
        progress.beginReading()
        _ = progress.push(stream(6, 6))
        let updates = progress.read(stream(5, 5), origin: .initial, isComplete: true)
        #expect(updates.map(\.origin) == [.initial, .push])
    }
}
