import ConAirPage
import Foundation
import HeliumJSON
import HeliumServer

extension BrowserCheck {
    /// The page on a desk, on a phone and in the dark.
    static let appearances: [BrowserCheck] = [
        BrowserCheck("on a desk") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    try await browser.expectFitting(width: 1000)
                    try await browser.screenshot("desk")
                }
            }
        },
        BrowserCheck("on a phone, without sideways scrolling") { place in
            try await SeriesWorld.with {
                $0.title = "Temperature of the office by the window, third floor, north"
            } _: { world in
                try await Browser.with(Options(isPhone: true), place) { browser in
                    for range in ["day", "hour", "week", "all"] {
                        let query = URLQueryItem(name: "range", value: range)
                        try await browser.open(world.url.appending(queryItems: [query]))
                        try await browser.waitForChart()
                        try await browser.expectFitting(width: 390)
                        if range == "day" { try await browser.screenshot("phone") }
                    }
                    // The longest texts are those of failures.
                    world.service.faults.inject(.status(500), .path("/data/"))
                    try await browser.wait(for: "stale", seeing: "#state") { $0.hasPrefix("Stale: ") }
                    try await browser.expectFitting(width: 390)
                    try await browser.screenshot("phone-stale")
                }
            }
        },
        BrowserCheck("on a phone, in the dark, as a picture") { place in
            try await SeriesWorld.with {
                $0.dygraphs = nil
            } _: { world in
                try await Browser.with(Options(isPhone: true, isDark: true), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForPicture()
                    try await browser.expectFitting(width: 390)
                    try await browser.expectReadablePicture()
                    try await browser.expectBackgrounds("20,24,29")
                    try await browser.screenshot("phone-picture-dark")
                }
            }
        },
        BrowserCheck("in the dark, and in the light again") { place in
            try await SeriesWorld.with { world in
                try await Browser.with(Options(isDark: true), place) { browser in
                    try await browser.open(world.url)
                    try await browser.waitForChart()
                    try await browser.expectBackgrounds("20,24,29")
                    try await browser.screenshot("dark")
                    let dark = try await browser.chartPixels()
                    try await browser.prefer("light")
                    try await browser.expectBackgrounds("255,255,255")
                    try await browser.wait {
                        try await browser.chartPixels() != dark
                    } otherwise: {
                        "the chart keeps the colours of the dark"
                    }
                }
            }
        },
    ]
}

extension Browser {
    /// Waits until the server's picture is shown.
    func waitForPicture() async throws {
        let script = """
            const image = document.getElementById("picture");
            return image.complete && image.naturalWidth > 0;
            """
        try await wait {
            let isShown = try await shows("#picture")
            let isLoaded = try await evaluate(script).boolValue
            return isShown && isLoaded == true
        } otherwise: {
            "there is no picture"
        }
        try await expect(!shows("#chart"), "the chart is shown beside the picture")
    }

    /// Everything is within the width of the window, and no text is smaller than 12 px.
    func expectFitting(width: Int) async throws {
        let script = """
            const root = document.scrollingElement;
            const texts = [...document.querySelectorAll("body *")].filter((element) =>
              [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ""));
            const name = (element) => `${element.tagName} ${element.id} ${element.className}`;
            return {
              width: innerWidth,
              needed: root.scrollWidth,
              outside: [...document.querySelectorAll("body *")].filter((element) => {
                const box = element.getBoundingClientRect();
                return box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5);
              }).map(name),
              small: texts.filter((element) => parseFloat(getComputedStyle(element).fontSize) < 12).map(name),
            };
            """
        let found = try await evaluate(script)
        let number = JSONValue.number(JSONNumber(width))
        try expect(found, is: ["width": number, "needed": number, "outside": [], "small": []], "the page")
    }

    /// The texts of the picture, which are of 13 px and more, are not scaled down to less than 11 px.
    func expectReadablePicture() async throws {
        let script = """
            const image = document.getElementById("picture");
            return 13 * image.clientWidth / image.naturalWidth;
            """
        let size = try await evaluate(script).doubleValue ?? 0
        try expect(size >= 11, "the picture's small texts are of \(size) px")
    }

    /// The page, and its picture if it has one, have a background of a colour.
    func expectBackgrounds(_ colour: String) async throws {
        let script = """
            const colours = [getComputedStyle(document.body).backgroundColor.replace(/[^0-9,]/g, "")];
            const image = document.getElementById("picture");
            if (image.clientWidth > 0) {
              const canvas = document.createElement("canvas");
              [canvas.width, canvas.height] = [image.clientWidth, image.clientHeight];
              const context = canvas.getContext("2d");
              context.drawImage(image, 0, 0, canvas.width, canvas.height);
              colours.push(context.getImageData(2, 2, 1, 1).data.slice(0, 3).join(","));
            }
            return [...new Set(colours)];
            """
        var seen: JSONValue = .null
        try await wait {
            seen = try await evaluate(script)
            return seen == [.string(colour)]
        } otherwise: {
            "the backgrounds are \(seen), not \(colour)"
        }
    }

    /// Returns the pixels that dygraphs has drawn.
    fileprivate func chartPixels() async throws -> JSONValue {
        try await evaluate(
            "return [...document.querySelectorAll('#chart canvas')].map((canvas) => canvas.toDataURL());"
        )
    }
}
