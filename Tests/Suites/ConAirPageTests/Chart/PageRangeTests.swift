import ConAir
import Testing

@testable import ConAirPage

@Suite("ConAirPage ranges")
struct ConAirPageRangeTests {
    @Test(
        "the range of a page is that of its query, or a day",
        arguments: [
            ("range=hour", PageRange.hour), ("range=week", .week), ("a=1&range=all", .all),
            ("range=hour&range=week", .week),
            ("", .day), ("range=", .day), ("range=Hour", .day), ("range=%3Cscript%3E", .day), ("xrange=hour", .day),
        ]
    )
    func query(text: String, range: PageRange) { #expect(PageRange(query: text[...]) == range) }

    @Test("the window of a range ends after the present and the newest point")
    func windows() {
        let points = SeriesPoints([SeriesPoint(time: noon - 100_000, value: 1), SeriesPoint(time: noon + 60, value: 2)])
        let end = (noon + 60).advanced(by: .microseconds(1))
        #expect(PageRange.hour.window(of: points, now: noon) == (noon - 3_600)..<end)
        #expect(PageRange.day.window(of: points, now: noon) == (noon - 86_400)..<end)
        #expect(PageRange.week.window(of: points, now: noon) == (noon - 604_800)..<end)
        #expect(PageRange.all.window(of: points, now: noon) == (noon - 100_000)..<end)
    }

    @Test("the range of an empty series is a day")
    func empty() {
        let none = SeriesPoints()
        #expect(PageRange.all.window(of: none, now: noon).lowerBound == noon - 86_400)
        for range in PageRange.allCases {
            #expect(!range.window(of: none, now: noon).isEmpty)
            let ahead = SeriesPoints([SeriesPoint(time: noon + 7_200, value: 1)])
            #expect(range.window(of: ahead, now: noon).contains(noon + 7_200))
        }
    }
}
