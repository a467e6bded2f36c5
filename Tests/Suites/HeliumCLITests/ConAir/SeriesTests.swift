import ConAir
import Cosm
import Foundation
import Testing

@testable import HeliumCLI

@Suite("Time series in the tool")
struct SeriesTests {
    private func time(_ seconds: Int64) -> SeriesTime { SeriesTime(seconds: seconds) }

    private func points(_ values: [Int64: Double]) -> SeriesPoints {
        SeriesPoints(values.map { SeriesPoint(time: time($0.key), value: $0.value) })
    }

    @Test("changes of a series are new, changed and removed points in the order of time")
    func changes() {
        let clock = ZoneClock(zone: .gmt)
        let old = points([10: 1, 20: 2, 30: 3])
        let new = points([5: 5, 20: 2, 30: 4, 40: 6])
        #expect(
            SeriesChange.changes(from: old, to: new).map { $0.line(clock) } == [
                "inserted 1970-01-01T00:00:05Z 5.0", "removed 1970-01-01T00:00:10Z 1.0",
                "replaced 1970-01-01T00:00:30Z 4.0",
                "inserted 1970-01-01T00:00:40Z 6.0",
            ]
        )
        #expect(SeriesChange.changes(from: new, to: new).isEmpty)
        #expect(SeriesChange.changes(from: SeriesPoints(), to: new).count == 4)
        #expect(SeriesChange.changes(from: new, to: SeriesPoints()).allSatisfy { $0.kind == .removed })
    }

    @Test(
        "times of a series have the offset of the zone",
        arguments: [
            ("Europe/Vienna", "2012-12-11T20:28:00Z", "2012-12-11T21:28:00+01:00", "21:28:00"),
            ("America/St_Johns", "2012-12-11T01:00:00.5Z", "2012-12-10T21:30:00.500000-03:30", "21:30:00"),
            ("UTC", "2012-12-11T20:28:00Z", "2012-12-11T20:28:00Z", "20:28:00"),
            ("Asia/Kathmandu", "2012-12-11T20:28:00Z", "2012-12-12T02:13:00+05:45", "02:13:00"),
        ]
    )
    func zones(name: String, instant: String, text: String, timeOfDay: String) throws {
        let time = try #require(SeriesTime(instant))
        let clock = ZoneClock(zone: try #require(TimeZone(identifier: name)))
        #expect(clock.text(time) == text && clock.timeOfDay(time) == timeOfDay)
        #expect(SeriesTime(text) == time)
    }

    static let machineZones: [(String, Int?)] = [
        ("JST-9", 9 * 3600), ("EST5", -5 * 3600), ("IST-5:30", 19_800), ("<+0330>-3:30", 12_600), ("GMT-9", 9 * 3600),
        ("UTC0", 0), ("UTC", 0), ("Europe/Vienna", 3600), (":Europe/Vienna", 3600), ("Asia/Tokyo", 9 * 3600),
        ("/usr/share/zoneinfo/Asia/Tokyo", 9 * 3600), ("EST5EDT", -5 * 3600),
        ("CET-1CEST,M3.5.0,M10.5.0/3", nil), ("JST-25", nil), ("Mars/Base", nil), ("/etc/passwd", nil),
    ]

    @Test("the zone of the machine is that of TZ in each of its forms, and a form that is not known is an error")
    func machineZone() throws {
        let winter = try #require(SeriesTime("2012-12-11T20:28:00Z")).date
        for (variable, offset) in Self.machineZones {
            let zone = try? MachineZone(variable: variable).zone()
            #expect(zone?.secondsFromGMT(for: winter) == offset, "\(variable)")
        }
        #expect(try MachineZone(variable: nil).zone() == .current)
    }

    @Test("a step has the mean of the values from its start to before its end")
    func means() {
        var means = CosmStepMeans(window: time(120)..<time(360), step: .seconds(120))
        #expect(means.times == time(120)...time(360).advanced(by: .microseconds(-1)))
        // The values of the steps before and after, which are not requested.
        means.add(time(119), 100)
        for (seconds, value) in [(120, 1), (180, 3), (239, 5), (240, 7), (359, 9), (360, 100)] as [(Int64, Double)] {
            means.add(time(seconds), value)
        }
        means.add(nil, 1)
        means.add(time(350), nil)
        let reply = means.reply(serverTime: time(400))
        #expect(reply.points == [SeriesPoint(time: time(120), value: 3), SeriesPoint(time: time(240), value: 8)])
        #expect(reply.skippedCount == 2 && reply.serverTime == time(400))
    }

    @Test("the points of a source with the same step remain as they are")
    func copies() {
        for step in [1, 120, 300, 86_400] as [Int64] {
            let source = (-5..<5).map { SeriesPoint(time: time($0 * step), value: 20 + Double($0) / 10) }
            var means = CosmStepMeans(window: time(-5 * step)..<time(5 * step), step: .seconds(step))
            for point in source { means.add(point.time, point.value) }
            #expect(means.reply().points == source)
        }
    }

    @Test("a window has only the steps that start in it, also before 1970")
    func bounds() {
        func times(_ first: Int64, _ end: Int64) -> ClosedRange<SeriesTime> {
            time(first)...time(end).advanced(by: .microseconds(-1))
        }
        #expect(CosmStepMeans(window: time(121)..<time(240), step: .seconds(120)).times == nil)
        #expect(CosmStepMeans(window: time(121)..<time(241), step: .seconds(120)).times == times(240, 360))
        #expect(CosmStepMeans(window: time(-240)..<time(-1), step: .seconds(120)).times == times(-240, 0))
        var means = CosmStepMeans(window: time(-240)..<time(0), step: .seconds(240))
        for second in 1...5 { means.add(time(Int64(second) - 200), .greatestFiniteMagnitude) }
        #expect(means.reply().points.count == 1 && means.reply().points.first?.time == time(-240))
        #expect(means.reply().points.allSatisfy { $0.value > 1.7e308 })
    }

    @Test("tables have at most four decimals, and documents all of them")
    func formats() {
        let clock = ZoneClock(zone: .gmt)
        let series = points([0: 18.533666666666672, 60: 1e-9, 120: -3])
        #expect(
            SeriesFormat.table.text(series, clock)
                == "TIME                  VALUE\n1970-01-01T00:00:00Z  18.5337\n1970-01-01T00:01:00Z  1e-09\n"
                + "1970-01-01T00:02:00Z  -3.0\n"
        )
        #expect(SeriesFormat.csv.text(series, clock).hasPrefix("1970-01-01T00:00:00Z,18.533666666666672\n"))
        #expect(SeriesFormat.json.text(SeriesPoints(), clock) == "[]\n")
        #expect(SeriesFormat.csv.text(SeriesPoints(), clock).isEmpty)
    }

    static let terminals: [([String: String], Bool, TerminalChart.Characters, colour: Bool, screen: Bool)] = [
        ([:], true, .ascii, true, true), (["LANG": "en_GB.UTF-8"], true, .braille, true, true),
        (["LANG": "en_GB.UTF-8", "LC_ALL": "C"], true, .ascii, true, true),
        (["LC_CTYPE": "C.utf8"], true, .braille, true, true),
        (["LANG": "C.UTF-8", "LC_ALL": ""], false, .braille, false, false),
        (["NO_COLOR": "1"], true, .ascii, false, true),
        (["NO_COLOR": ""], true, .ascii, true, true), (["TERM": "dumb"], true, .ascii, false, false),
    ]

    @Test("characters of a chart follow the locale, and colours the terminal and NO_COLOR", arguments: terminals)
    func terminal(
        environment: [String: String],
        isTerminal: Bool,
        characters: TerminalChart.Characters,
        isColoured: Bool,
        isScreen: Bool
    ) {
        let terminal = ChartTerminal(environment: environment, isTerminal: isTerminal)
        #expect(terminal.characters == characters && terminal.isColoured == isColoured && terminal.isScreen == isScreen)
    }
}
