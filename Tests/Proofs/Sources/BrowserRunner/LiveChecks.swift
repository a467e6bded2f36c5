import Foundation
import HeliumJSON
import HeliumServer

extension BrowserCheck {
    /// The page changes as the series and its service do.
    static let live: [BrowserCheck] = [
        BrowserCheck("a point appears without reload") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    try await browser.mark()
                    let before = try await browser.highestLabel()
                    try await world.store(31.3)
                    try await browser.wait(for: "the new value", seeing: "#value") { $0.hasPrefix("31.3") }
                    // The chart grows with it.
                    try await browser.wait {
                        try await browser.highestLabel() > before + 4
                    } otherwise: {
                        "the chart does not show the new point"
                    }
                    try await world.store(19.5)
                    try await browser.wait(for: "the corrected value", seeing: "#value") { $0.hasPrefix("19.5") }
                    try await browser.expectMark()
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("a service that fails, and recovers") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.wait(for: "current", seeing: "#state") { $0.hasPrefix("Current. Updated at ") }
                    let value = try await browser.text("#value")
                    let fault = world.service.faults.inject(.status(500), .path("/data/"))
                    try await browser.wait(for: "failing", seeing: "#state") { $0.hasPrefix("Failing: ") }
                    try await browser.wait(for: "stale", seeing: "#state") { $0.hasPrefix("Stale: no response since ") }
                    try await expect(
                        browser.text("#error"),
                        is: "Last error: status 500 is not acceptable",
                        "the error"
                    )
                    try await expect(browser.text("#value"), is: value, "the last value")
                    try await browser.screenshot("stale")
                    world.service.faults.remove(fault)
                    try await browser.wait(for: "current again", seeing: "#state") { $0.hasPrefix("Current. ") }
                    try await expect(browser.text("#error"), is: "", "the error")
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("a service that is stopped, and then the page's server") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.wait(for: "current", seeing: "#state") { $0.hasPrefix("Current. ") }
                    world.stopSource()
                    try await browser.wait(for: "stale", seeing: "#state") { $0.hasPrefix("Stale: no response since ") }
                    let style = try await browser.evaluate("return document.getElementById('state').className;")
                    try expect(style, is: "stale", "the class")
                    world.stopPage()
                    try await browser.wait(for: "disconnected", seeing: "#state") { $0.hasPrefix("Disconnected: ") }
                }
            }
        },
    ]
}

extension BrowserCheck { typealias Options = Browser.Options }

// MARK: What several checks do

extension Browser {
    /// Waits until dygraphs has drawn.
    func waitForChart() async throws {
        try await wait {
            let isShown = try await shows("#chart canvas")
            let labels = try await labels(of: "x")
            return isShown && !labels.isEmpty
        } otherwise: {
            "there is no chart"
        }
        try await expect(!shows("#picture"), "the picture is shown beside the chart")
    }

    /// The labels of an axis.
    func labels(of axis: String) async throws -> [String] {
        let labels = try await evaluate(
            "return [...document.querySelectorAll(arguments[0])].map((label) => label.textContent);",
            [.string("#chart .dygraph-axis-label-\(axis)")]
        )
        return (labels.arrayValue ?? []).compactMap(\.stringValue)
    }

    /// The highest number at the axis of the values.
    func highestLabel() async throws -> Double {
        try await labels(of: "y").compactMap { Double($0) }.max() ?? -.infinity
    }

    /// Leaves something that a reload would remove.
    func mark() async throws { try await evaluate("window.mark = 18;") }

    func expectMark() async throws {
        try await expect(evaluate("return window.mark ?? null;"), is: 18, "what a reload removes")
    }

    /// Nothing was refused or failed, and nothing came from elsewhere.
    func expectNothingStrange(from url: URL, allowing known: String? = nil) async throws {
        let complaints = try await complaints().filter { text in known.map { !text.contains($0) } ?? true }
        try expect(complaints.isEmpty, "the browser says \(complaints)")
        let places = try await evaluate("return performance.getEntriesByType('resource').map((entry) => entry.name);")
        let names = (places.arrayValue ?? []).compactMap(\.stringValue)
        try expect(!names.isEmpty, "the page has loaded nothing")
        let foreign = names.filter { !$0.hasPrefix(url.absoluteString) }
        try expect(foreign.isEmpty, "the page has loaded \(foreign)")
    }
}
