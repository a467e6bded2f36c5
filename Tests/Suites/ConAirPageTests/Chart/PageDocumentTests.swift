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
        var status = PageStatus(TimeSeriesState(), latest: SeriesPoint(time: noon, value: 21.456), texts: texts)
        #expect(status.value == "21.46 °C")
        #expect(status.time == "2012-12-11 12:00:00")
        let model = chart([SeriesPoint(time: noon, value: 21.456)], .hour)
        let document = PageDocuments.snapshot(
            model.window,
            PageDocuments.points(model),
            .hour,
            number: 7,
            status
        )
        let value = try #require(JSONValue.parse(text(document))?.objectValue)
        #expect(value["range"] == "hour")
        #expect(value["number"]?.integerValue == 7)
        #expect(value["window"]?.arrayValue?.count == 2)
        #expect(value["points"]?.arrayValue?.count == 1)
        #expect(value["status"]?.objectValue?["kind"] == "stopped")
        status = PageStatus(
            TimeSeriesState(),
            latest: nil,
            texts: PageTexts(title: "", unit: "\"},\n</script>", zone: .gmt)
        )
        let hostile = text(PageDocuments.status(status))
        #expect(!hostile.contains("\n"))
        #expect(JSONValue.parse(hostile)?.objectValue?["value"] == .null)
    }

    @Test("values on the page have two decimals unless they are far from 1")
    func values() {
        let plain = PageTexts(title: "", unit: "", zone: .gmt)
        let shown = [0, 21.4, -21.456, 0.1, 0.001234, 1e300, 123_456_789.126].map { plain.value($0) }
        #expect(shown == ["0.0", "21.4", "-21.46", "0.1", "0.001234", "1e+300", "123456789.13"])
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
