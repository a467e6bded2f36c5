import ConAir
import Foundation
import HeliumJSON
import Testing

@testable import ConAirPage

@Suite("ConAirPage documents")
struct ConAirPageDocumentTests {
    private let texts = PageTexts(title: "", unit: "°C", zone: .gmt)

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func chart(_ points: [SeriesPoint], _ range: PageRange = .day) -> ChartModel {
        texts.chart(SeriesPoints(points), range, now: noon, step: .seconds(120))
    }

    @Test("a gap is a null between points in the page's document")
    func gaps() {
        let points = [
            SeriesPoint(time: noon - 720, value: 1.5), SeriesPoint(time: noon - 600, value: 2),
            SeriesPoint(time: noon - 240, value: 1e300),
            SeriesPoint(time: noon.advanced(by: .microseconds(-1_500)), value: -0.25),
        ]
        #expect(
            text(PageDocuments.points(chart(points)))
                == "[[1355226480000,1.5],[1355226600000,2.0],[1355226780000,null],[1355226960000,1e+300],"
                + "[1355227079999.249,null],[1355227199998.5,-0.25]]"
        )
    }

    @Test("many points are down-sampled in the page's document")
    func downsampled() throws {
        let points = (0..<100_000).map { SeriesPoint(time: noon - 120 * $0, value: Double($0 % 700)) }
        let bytes = PageDocuments.points(chart(points, .all))
        let rows = try #require(JSONValue.parse(text(bytes))?.arrayValue)
        #expect(500...2_500 ~= rows.count)
    }

    @Test("the points of an empty series are an empty array")
    func nothing() { #expect(text(PageDocuments.points(chart([]))) == "[]") }

    @Test("a snapshot has range, number, window, points and state, and hostile errors as text")
    func snapshot() throws {
        let point = SeriesPoint(time: noon, value: 21.456)
        let model = chart([point], .hour)
        let document = PageDocuments.snapshot(
            model,
            PageDocuments.points(model),
            .hour,
            number: 7,
            PageNewest(point, chart: model, clock: texts.clock),
            PageStatus(TimeSeriesState(), texts: texts)
        )
        let value = try #require(JSONValue.parse(text(document))?.objectValue)
        #expect(value["range"] == "hour")
        #expect(value["number"]?.integerValue == 7)
        #expect(value["window"]?.arrayValue?.count == 2)
        #expect(value["points"]?.arrayValue?.count == 1)
        #expect(value["newest"]?["value"] == "21.46 °C" && value["newest"]?["time"] == "2012-12-11 12:00:00")
        #expect(value["digits"]?["last"]?.integerValue == -2 && value["digits"]?["fixed"] == true)
        #expect(value["status"]?.objectValue?["kind"] == "stopped")
    }

    @Test("a hostile unit is text in the page's documents, and a series without points has no value")
    func hostile() {
        let hostile = PageTexts(title: "", unit: "\"},\n</script>", zone: .gmt)
        for latest in [nil, SeriesPoint(time: noon, value: 1)] {
            let model = hostile.chart(SeriesPoints(), .hour, now: noon, step: .seconds(120))
            let newest = PageNewest(latest, chart: model, clock: hostile.clock)
            let status = PageStatus(TimeSeriesState(), texts: hostile)
            let document = text(PageDocuments.snapshot(model, Array("[]".utf8), .hour, number: 1, newest, status))
            #expect(!document.contains("\n"))
            let value = JSONValue.parse(document)?["newest"]?["value"]
            #expect(latest == nil ? value == .null : value?.stringValue?.hasPrefix("1.00 \"}") == true, "\(document)")
        }
    }

    @Test(
        "the page's document says whether values differ by rounding errors only",
        arguments: [([0.1 + 0.2, 0.3], true), ([21.5, 21.5], true), ([21.5, 21.6], false), ([], true)]
            as [([Double], Bool)]
    )
    func flat(values: [Double], isFlat: Bool) throws {
        let model = chart(values.enumerated().map { SeriesPoint(time: noon - 120 * $0, value: $1) })
        let newest = PageNewest(nil, chart: model, clock: texts.clock)
        let status = PageStatus(TimeSeriesState(), texts: texts)
        let document = text(PageDocuments.snapshot(model, Array("[]".utf8), .day, number: 1, newest, status))
        #expect(JSONValue.parse(document)?["digits"]?["flat"] == .bool(isFlat))
    }

    static let ranges: [([Double], String)] = [
        ([20, 25, 21.456], "21.5 °C"), ([21.4, 21.5, 21.456], "21.456 °C"), ([0.001, 0.0005, 0.0015], "0.00150 °C"),
        ([1013.246, 1013.254, 1013.25], "1013.2500 °C"), ([1e300, 2e300], "2.00e300 °C"), ([0, 0], "0 °C"),
    ]

    @Test("the newest value has the same digits on the page, in the picture and in words", arguments: ranges)
    func digits(values: [Double], shown: String) {
        let points = values.enumerated().map { SeriesPoint(time: noon - 120 * (values.count - 1 - $0), value: $1) }
        for range in PageRange.allCases {
            let model = chart(points, range)
            #expect(PageNewest(points.last, chart: model, clock: texts.clock).value == shown)
            #expect(model.summary.contains("Latest \(shown) at"))
            #expect(
                PictureSize.allCases.allSatisfy {
                    SVGChart(model, width: $0.width, height: $0.height).text.contains(">\(shown)<")
                }
            )
        }
    }

    @Test("a value before the range of the page is shown with the digits that it needs")
    func oldValue() {
        let model = chart([SeriesPoint(time: noon - 86_400, value: 0.00123)], .hour)
        let newest = PageNewest(SeriesPoint(time: noon - 86_400, value: 0.00123), chart: model, clock: texts.clock)
        #expect(model.note == "No data" && newest.value == "0.00123 °C")
    }

    @Test("times on the page are those of the zone")
    func zones() throws {
        let vienna = PageClock(zone: try #require(TimeZone(identifier: "Europe/Vienna")))
        #expect(vienna.dateAndTime(noon) == "2012-12-11 13:00:00")
        #expect(vienna.timeOfDay(noon.advanced(by: .milliseconds(1_500))) == "13:00:01")
        #expect(vienna.zoneName == "Europe/Vienna")
        #expect(PageClock(zone: .gmt).zoneName == "UTC")
    }
}
