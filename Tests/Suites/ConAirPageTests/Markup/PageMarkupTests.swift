import ConAir
import Foundation
import Testing

@testable import ConAirPage

@Suite("ConAirPage markup")
struct ConAirPageMarkupTests {
    private func page(title: String, unit: String = "°C", hasDygraphs: Bool = false) -> String {
        let texts = PageTexts(title: title, unit: unit, zone: .gmt)
        let point = SeriesPoint(time: noon, value: 21.4)
        let chart = texts.chart(SeriesPoints([point]), .week, now: noon, step: .seconds(120))
        return PageMarkup(
            texts: texts,
            status: PageStatus(TimeSeriesState(), texts: texts),
            newest: PageNewest(point, chart: chart, clock: texts.clock),
            range: .week,
            summary: "\(texts.title) \(texts.unit)",
            hasDygraphs: hasDygraphs
        )
        .text
    }

    @Test("the page shows value, time, state and range without a script")
    func content() {
        let text = page(title: "Office")
        #expect(text.contains("<h1>Office</h1>"))
        #expect(text.contains("<p id=\"value\">21.40 °C</p>"))
        #expect(text.contains("<p id=\"time\">2012-12-11 12:00:00</p>"))
        #expect(text.contains("<p id=\"state\" class=\"stopped\" role=\"status\">Not polling. No response yet.</p>"))
        #expect(text.contains("<a href=\"/?range=week\" data-range=\"week\" aria-current=\"true\">Week</a>"))
        #expect(text.contains("<img id=\"picture\" src=\"/chart.svg?range=week\""))
        #expect(text.contains("media=\"(max-width: 44rem)\" srcset=\"/chart.svg?range=week&amp;size=narrow\""))
        #expect(text.contains("<p id=\"error\"></p>"))
        #expect(text.contains("<noscript><meta http-equiv=\"refresh\" content=\"30\"></noscript>"))
    }

    @Test("the page uses dygraphs only if its files are there")
    func dygraphs() {
        #expect(!page(title: "Office").contains("dygraph"))
        let text = page(title: "Office", hasDygraphs: true)
        #expect(text.contains("<script src=\"/dygraph.min.js\" defer></script>"))
        #expect(text.contains("<link rel=\"stylesheet\" href=\"/dygraph.min.css\">"))
    }

    @Test(
        "titles and units are escaped on the page",
        arguments: [
            "</title><script>alert(1)</script>", "\" onload=\"alert(1)", "' x='", "<img src=x onerror=alert(1)>",
            "&lt;b&gt;",
            "a\u{0}\u{1B}\u{202E}b",
        ]
    )
    func hostile(title: String) {
        let text = page(title: title, unit: title)
        // What is there with a harmless title, and nothing more.
        let harmless = page(title: "x", unit: "x")
        for mark in ["<", ">", "\"", "'"] {
            #expect(text.split(separator: mark).count == harmless.split(separator: mark).count, "\(mark)")
        }
        #expect(!text.unicodeScalars.contains { $0 == "\u{0}" || $0 == "\u{1B}" || $0 == "\u{202E}" })
    }

    @Test("the page has no inline script and style, and nothing from other hosts")
    func policy() throws {
        let text = page(title: "Office", hasDygraphs: true)
        #expect(!text.contains("style="))
        #expect(!text.contains("<style"))
        #expect(text.matches(of: /<script(?! src="\/)/).isEmpty)
        #expect(text.matches(of: /\son\w+=/).isEmpty)
        #expect(!text.contains("http:") && !text.contains("https:"))
        #expect(!PageScript.text.contains("innerHTML"))
        #expect(!PageScript.text.contains("http"))
        #expect(!PageStyle.text.contains("url("))
    }

    @Test("a page without a title has a default one")
    func untitled() { #expect(page(title: "").contains("<h1>Series</h1>")) }
}
