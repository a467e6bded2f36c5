import ConAirPage
import HeliumJSON

extension BrowserCheck {
    /// The page without what it can do without.
    static let plain: [BrowserCheck] = [
        BrowserCheck("without dygraphs, a picture that changes without reload") { place in
            try await SeriesWorld.with {
                $0.dygraphs = nil
            } _: { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForPicture()
                    try await browser.expectReadablePicture()
                    try await browser.mark()
                    let before = try await browser.pictureURL()
                    try await world.store(24.7)
                    try await browser.wait(for: "the new value", seeing: "#value") { $0.hasPrefix("24.7") }
                    try await browser.wait {
                        try await browser.pictureURL() != before
                    } otherwise: {
                        "the picture stays as it is"
                    }
                    try await browser.waitForPicture()
                    try await browser.screenshot("picture")
                    try await browser.click("nav a[data-range=week]")
                    try await browser.wait {
                        try await browser.pictureURL().contains("range=week")
                    } otherwise: {
                        "the picture is not that of the week"
                    }
                    try await browser.expectMark()
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
        BrowserCheck("without JavaScript, a page that loads itself again") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(runsScripts: false), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForPicture()
                    try await browser.expectFitting(width: 1000)
                    try await expect(browser.text("#point"), is: "Reloads every 30 seconds.", "the hint")
                    try await browser.mark()
                    try await browser.screenshot("no-javascript")
                    try await world.store(25.5)
                    try await browser.wait(for: "the new value", within: .seconds(45), seeing: "#value") {
                        $0.hasPrefix("25.5")
                    }
                    let mark = try await browser.evaluate("return window.mark ?? null;")
                    try expect(mark, is: .null, "what a reload removes")
                    try await browser.waitForPicture()
                    try await browser.click("nav a[data-range=hour]")
                    try await browser.wait(for: "the range", seeing: "nav a[aria-current]") { $0 == "Hour" }
                    try await browser.waitForPicture()
                    try await expect(browser.pictureURL().contains("range=hour"), "the picture is not that of the hour")
                    try await browser.expectNothingStrange(from: world.url)
                }
            }
        },
    ]
}

extension Browser {
    /// The address of the picture that is shown.
    fileprivate func pictureURL() async throws -> String {
        try await evaluate("return document.getElementById('picture').currentSrc;").stringValue ?? ""
    }
}
