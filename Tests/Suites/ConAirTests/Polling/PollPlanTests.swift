import Testing

@testable import ConAir

@Suite("The plan of a poll")
struct PollPlanTests {
    private func facts(_ newest: SeriesTime?, step: Int = 120) -> PollPlan.Facts {
        PollPlan.Facts(newest: newest, now: noon, step: .seconds(step))
    }

    @Test(
        "a poll reads from two steps before the newest point up to the server's now, or 24 hours",
        arguments: [
            (nil, -86_400), (-120, -360), (0, -240), (-86_400, -86_640), (-3_000_000, -3_000_240),
            // Ahead of the server's now, and older than anything that is kept.
            (3600, -240), (-50_000_000, -400 * 86_400),
        ] as [(Int?, Int)]
    )
    func window(newest: Int?, start: Int) {
        let plan = PollPlan(facts(newest.map { noon + $0 }))
        #expect(plan.window == noon + start..<noon)
        #expect(plan.parts.first?.lowerBound == plan.window.lowerBound && plan.parts.last?.upperBound == noon)
    }

    @Test("the first window of a poll has at least two steps", arguments: [(0, 240), (86_400, 86_400)])
    func firstWindow(span: Int, length: Int) {
        var facts = facts(nil)
        facts.initialSpan = .seconds(span)
        #expect(PollPlan(facts).window == noon - length..<noon)
        facts.step = .seconds(2 * 86_400)
        #expect(PollPlan(facts).window == noon - 4 * 86_400..<noon)
    }

    @Test("a poll requests no more points than are kept")
    func count() {
        var facts = facts(noon - 86_400 * 300)
        facts.retention.count = 10
        #expect(PollPlan(facts).window == noon - 1200..<noon)
        #expect(PollPlan(facts).startsAfterGap)
        facts.newest = noon - 1440
        #expect(PollPlan(facts).startsAfterGap)
        facts.newest = noon - 1320
        #expect(!PollPlan(facts).startsAfterGap)
        facts.newest = nil
        #expect(!PollPlan(facts).startsAfterGap)
        #expect(PollPlan(facts).window == noon - 1200..<noon)
        facts.retention.count = .min
        #expect(PollPlan(facts).window == noon - 120..<noon)
    }

    @Test("a poll includes all points that are kept by the earlier of two clocks")
    func retentionTime() {
        var facts = facts(noon - 1200)
        facts.retention.count = 10
        facts.now = noon + 3600
        facts.retentionTime = noon
        #expect(PollPlan(facts).window == noon - 1200..<noon + 3600 && !PollPlan(facts).startsAfterGap)
        facts.retentionTime = noon + 3600
        #expect(PollPlan(facts).startsAfterGap && PollPlan(facts).leavesGap)
        #expect(
            PollPlan(facts).corrected(to: noon + 3600, retentionTime: noon, newest: noon - 1200)?.leavesGap == false
        )
    }

    @Test("a poll without points begins at the given time", arguments: [(-600, -600), (-60, -240), (600, -240)])
    func initialStart(start: Int, expected: Int) {
        var facts = facts(nil)
        facts.initialStart = noon + start
        #expect(PollPlan(facts).window == noon + expected..<noon)
        facts.newest = noon
        #expect(PollPlan(facts).window == noon - 240..<noon)
    }

    @Test("a poll requests at most 5,000 steps at a time")
    func parts() {
        let plan = PollPlan(facts(noon - 120 * 12_000))
        #expect(plan.parts.map { $0.lowerBound.duration(to: $0.upperBound) / .seconds(120) } == [5000, 5000, 2002])
    }

    @Test("a poll is planned again after a correction of the clock")
    func correction() {
        let plan = PollPlan(facts(nil))
        #expect(
            plan.corrected(to: noon + 120, newest: nil) == nil && plan.corrected(to: noon - 120, newest: nil) == nil
        )
        #expect(plan.corrected(to: noon - 36_000, newest: noon - 40_000)?.window == noon - 122_400..<noon - 36_000)
        #expect(plan.corrected(to: noon + 36_000, newest: noon)?.window == noon - 50_400..<noon + 36_000)
        let known = PollPlan(facts(noon - 120))
        #expect(known.corrected(to: noon + 36_000, newest: noon + 240)?.window == noon..<noon + 36_000)
    }

    @Test("a poll leaves no gap after the known points if the local clock was behind")
    func behind() {
        var facts = PollPlan.Facts(newest: nil, now: noon - 50 * 86_400, step: .seconds(120))
        facts.hasPoints = true
        #expect(PollPlan(facts).leavesGap)
        let plan = PollPlan(facts).corrected(to: noon, newest: noon - 3 * 86_400)
        #expect(plan?.window == noon - 3 * 86_400 - 240..<noon)
    }

    @Test("extreme options of a poll do not trap")
    func extremes() {
        for step in [Duration.milliseconds(1), .seconds(400 * 86_400)] {
            for newest in [SeriesTime(microseconds: .min), SeriesTime(microseconds: .max), nil] {
                var facts = PollPlan.Facts(newest: newest, now: noon, step: step)
                facts.overlap = .max
                facts.initialSpan = .seconds(3600)
                facts.retention = SeriesRetention(age: .seconds(Int64.max), count: 100_000)
                let plan = PollPlan(facts)
                #expect(plan.window.upperBound == noon)
                facts.overlap = .min
                facts.retention = SeriesRetention(age: .seconds(Int64.min), count: .min)
                #expect(PollPlan(facts).window.upperBound == noon)
            }
        }
    }
}

@Suite("The time at the server")
struct ServerTimeEstimateTests {
    @Test("the server's time is the local time before the first reply, and then follows the uptime")
    func passing() {
        var estimate = ServerTimeEstimate()
        #expect(estimate.now(local: noon, uptime: .seconds(5)) == noon)
        estimate.note(noon + 3600, uptime: .seconds(5))
        #expect(estimate.now(local: noon, uptime: .seconds(5)) == noon + 3600)
        // The local clock was set back by five hours.
        #expect(estimate.now(local: noon - 18_000, uptime: .seconds(65)) == noon + 3660)
    }

    @Test("the server's time differs from the local time by at most 24 hours", arguments: [1, -1])
    func limit(sign: Int) {
        var estimate = ServerTimeEstimate()
        estimate.note(noon + sign * 90_000, uptime: .zero)
        #expect(estimate.now(local: noon, uptime: .zero) == noon + sign * 86_400)
        #expect(estimate.now(local: noon + sign * 4000, uptime: .zero) == noon + sign * 90_000)
    }

    @Test("a clock that is years ahead removes no points")
    func retention() {
        var estimate = ServerTimeEstimate()
        let years = 3 * 366 * 86_400
        #expect(estimate.retentionTime(local: noon, uptime: .zero) == noon)
        estimate.note(noon, uptime: .zero)
        #expect(estimate.retentionTime(local: noon + years, uptime: .zero) == noon)
        estimate.note(noon + years, uptime: .zero)
        #expect(estimate.retentionTime(local: noon, uptime: .zero) == noon + 86_400)
    }
}
