internal import ConAir
internal import HeliumServerKit

/// The HTML of a page. It is complete without a script; the script keeps it up to date.
struct PageMarkup: Sendable {
    let texts: PageTexts
    let status: PageStatus
    let newest: PageNewest
    let range: PageRange
    /// The description of the chart in words.
    let summary: String
    let hasDygraphs: Bool

    /// The interval in seconds at which a page without scripts is reloaded.
    static let refresh = 30

    var text: String {
        let title = Self.escaped(texts.title)
        let value = Self.escaped(newest.value ?? "–")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <link rel="icon" href="/icon.svg">
            \(dygraphsStyle)<link rel="stylesheet" href="/page.css">
            \(dygraphsScript)<script src="/page.js" defer></script>
            <noscript><meta http-equiv="refresh" content="\(Self.refresh)"></noscript>
            </head>
            <body>
            <main data-range="\(range.rawValue)" data-unit="\(Self.escaped(texts.unit))" \
            data-zone="\(Self.escaped(texts.clock.zoneName))">
            <h1>\(title)</h1>
            <p id="value">\(value)</p>
            <p id="time">\(Self.escaped(newest.time ?? ""))</p>
            <p id="state" class="\(status.kind.rawValue)" role="status">\(Self.escaped(status.words))</p>
            <p id="error">\(Self.escaped(error))</p>
            <nav aria-label="Range">\(links)</nav>
            <figure>
            <div id="chart" hidden></div>
            <picture>
            <source id="narrow" media="(max-width: 44rem)" srcset="\(Self.escaped(picture(.narrow)))">
            <img id="picture" src="\(Self.escaped(picture(.wide)))" alt="\(Self.escaped(summary))">
            </picture>
            <figcaption id="point">\(hint)</figcaption>
            </figure>
            <p class="zone">Times are those of \(Self.escaped(texts.clock.zoneName)).</p>
            </main>
            </body>
            </html>

            """
    }

    private var error: String { status.error.map { "Last error: \($0)" } ?? "" }

    private func picture(_ size: PictureSize) -> String {
        "/chart.svg?range=\(range.rawValue)" + (size == .wide ? "" : "&size=\(size.rawValue)")
    }

    private var dygraphsStyle: String {
        hasDygraphs ? "<link rel=\"stylesheet\" href=\"/dygraph.min.css\">\n" : ""
    }

    private var dygraphsScript: String {
        hasDygraphs ? "<script src=\"/dygraph.min.js\" defer></script>\n" : ""
    }

    private var hint: String { "<noscript>Reloads every \(Self.refresh) seconds.</noscript>" }

    private var links: String {
        PageRange.allCases.map { range in
            let current = range == self.range ? " aria-current=\"true\"" : ""
            return "<a href=\"/?range=\(range.rawValue)\" data-range=\"\(range.rawValue)\"\(current)>\(range.title)</a>"
        }.joined(separator: "\n")
    }

    /// Escapes text from any source for elements and attributes.
    private static func escaped(_ text: String) -> String {
        MarkupEscapes([.quotes, .apostrophes, .controls]).escaped(text)
    }
}
