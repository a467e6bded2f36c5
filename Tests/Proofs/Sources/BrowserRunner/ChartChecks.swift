import ConAirPage
import Foundation
import HeliumJSON

extension BrowserCheck {
    /// The chart of dygraphs.
    static let charts: [BrowserCheck] = [
        BrowserCheck("a gap stays a gap") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    // Three hours of a day, without the ends.
                    let gap = try await browser.longestGap()
                    try expect((0.1...0.15).contains(gap), "the longest gap is \(gap) of the chart, not an eighth")
                }
            }
        },
        BrowserCheck("a gap at the end of the hour is shown") { place in
            // Nothing for half an hour.
            try await SeriesWorld.with(silence: 1_800) { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(
                        world.url.appending(queryItems: [URLQueryItem(name: "range", value: "hour")])
                    )
                    try await browser.waitForChart()
                    let end = try await browser.endOfLine()
                    try expect((0.4...0.65).contains(end), "the line ends at \(end) of the chart, not in its middle")
                    try await browser.screenshot("hour-with-gap")
                    // The chart of a new point reaches to the right edge.
                    try await world.store(20.5)
                    try await browser.wait {
                        try await browser.endOfLine() > 0.9
                    } otherwise: {
                        "the new point is not at the right edge"
                    }
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("pans with shift after zooming") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    let whole = try await browser.labels(of: "x")
                    try await browser.drag("#chart", by: -200)
                    try await browser.wait {
                        try await browser.labels(of: "x") != whole
                    } otherwise: {
                        "dragging does not zoom"
                    }
                    let before = try await browser.labels(of: "x")
                    try await browser.drag("#chart", by: 200, withShift: true)
                    try await browser.wait {
                        try await browser.labels(of: "x") != before
                    } otherwise: {
                        "dragging with shift does not pan"
                    }
                    let after = try await browser.labels(of: "x")
                    // One more or less may be within the same span of time.
                    try expect(
                        abs(after.count - before.count) <= 1,
                        "panning changes the number of labels: \(before), then \(after)"
                    )
                    // To the right: earlier times come in at the left, and a part of the others remains.
                    let index = before.first.flatMap { after.firstIndex(of: $0) } ?? 0
                    try expect(index > 0, "panning does not move the times: \(before), then \(after)")
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("zooms, says what a point is, and goes back") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    let whole = try await browser.labels(of: "x")
                    try await browser.drag("#chart", by: -200)
                    try await browser.wait {
                        try await browser.labels(of: "x") != whole
                    } otherwise: {
                        "dragging does not zoom"
                    }
                    let part = try await browser.labels(of: "x")
                    try await browser.screenshot("zoomed")
                    // A new point does not undo it.
                    try await world.store(19.5)
                    try await browser.wait(for: "the new value", seeing: "#value") { $0.hasPrefix("19.5") }
                    try await expect(browser.labels(of: "x"), is: part, "what was zoomed to")
                    try await browser.doubleClick("#chart")
                    try await browser.wait {
                        try await browser.labels(of: "x").count == whole.count
                    } otherwise: {
                        "a double click does not show the whole range"
                    }
                    try await browser.hover("#chart")
                    try await browser.wait(for: "the value of a point", seeing: "#point") { $0.hasSuffix(" °C") }
                }
            }
        },
        BrowserCheck("ranges are chosen without reload, and kept by one") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    try await browser.mark()
                    let day = try await browser.labels(of: "x")
                    // Whole hours in the zone of the page, which is not that of the browser, and a day at midnight.
                    try expect(
                        day.count { $0.hasSuffix(":00") } == day.count - 1 && day.count > 4,
                        "the labels are \(day)"
                    )
                    for range in ["hour", "week", "all"] {
                        try await browser.click("nav a[data-range=\(range)]")
                        try await browser.wait(for: "the range", seeing: "nav a[aria-current]") {
                            $0.lowercased() == range
                        }
                        try await browser.wait {
                            let isShown = try await browser.shows("#chart canvas")
                            let labels = try await browser.labels(of: "x")
                            return isShown && labels != day
                        } otherwise: {
                            "the chart of the \(range) is that of the day"
                        }
                    }
                    try await browser.expectMark()
                    try await browser.click("nav a[data-range=week]")
                    try await browser.wait(for: "the range", seeing: "nav a[aria-current]") { $0 == "Week" }
                    var labels: [String] = []
                    try await browser.wait {
                        labels = try await browser.labels(of: "x")
                        return labels.count >= 3 && labels.allSatisfy { $0.contains(" ") }
                    } otherwise: {
                        "the labels of a week are not days: \(labels)"
                    }
                    try await browser.screenshot("week")
                    let url = try await browser.evaluate("return location.href;")
                    try expect(url, is: .string("\(world.url)?range=week"), "the address")
                    try await browser.evaluate("location.reload();")
                    try await browser.wait {
                        try await browser.evaluate("return window.mark ?? null;").isNull
                    } otherwise: {
                        "the page is not loaded again"
                    }
                    try await browser.waitForChart()
                    try await expect(browser.text("nav a[aria-current]"), is: "Week", "the range after a reload")
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("titles of strangers are text") { place in
            let title = "</h1><img src=x onerror=alert(1)><script>alert(2)</script>"
            try await SeriesWorld.with {
                ($0.title, $0.unit) = (title, "<b onclick=alert(3)>")
            } _: { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    // An alert would make this fail.
                    try await expect(browser.text("h1"), is: title, "the title")
                    try await browser.hover("#chart")
                    try await browser.wait(for: "a point", seeing: "#point") { $0.contains("<b onclick=alert(3)>") }
                    let count = try await browser.evaluate("return document.querySelectorAll('b, h1 img').length;")
                    try expect(count, is: 0, "the number of elements")
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
    ]
}

extension Browser {
    /// A script that finds the columns of the chart that have a line, from left to right.
    private static let drawnColumns = """
        const drawn = [];
        for (const canvas of document.querySelectorAll("#chart canvas")) {
          // From a copy: a canvas that is read often would make the browser warn.
          const copy = document.createElement("canvas");
          [copy.width, copy.height] = [canvas.width, canvas.height];
          const context = copy.getContext("2d", { willReadFrequently: true });
          context.drawImage(canvas, 0, 0);
          const { data, width, height } = context.getImageData(0, 0, copy.width, copy.height);
          for (let x = 0; x < width; x += 1) {
            for (let y = 0; y < height; y += 1) {
              const at = 4 * (y * width + x);
              // Blue, and nearly opaque: the grid is grey.
              if (data[at + 3] > 200 && data[at + 2] - data[at] > 80) { drawn.push(x); break; }
            }
          }
        }
        drawn.sort((a, b) => a - b);
        """

    /// The widest stretch between two columns of the chart that have a line, as a part of the columns from the first to the last.
    fileprivate func longestGap() async throws -> Double {
        let script = """
            if (drawn.length < 2) return 1;
            let widest = 0;
            for (let i = 1; i < drawn.length; i += 1) widest = Math.max(widest, drawn[i] - drawn[i - 1]);
            return widest / (drawn[drawn.length - 1] - drawn[0]);
            """
        return try await evaluate(Self.drawnColumns + script).doubleValue ?? 1
    }

    /// The last column of the chart that has a line, as a part of the chart's width; 0 if nothing is drawn.
    fileprivate func endOfLine() async throws -> Double {
        let script = """
            const width = document.querySelector("#chart canvas").width;
            return drawn.length === 0 ? 0 : drawn[drawn.length - 1] / width;
            """
        return try await evaluate(Self.drawnColumns + script).doubleValue ?? 0
    }
}
