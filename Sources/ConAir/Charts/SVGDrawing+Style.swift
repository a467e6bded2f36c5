extension SVGDrawing {
    /// Returns the style sheet of a theme.
    ///
    /// Its rules do not affect anything outside the image. They use no variables, which many programs other than
    /// browsers do not support.
    static func style(_ theme: SVGChart.Theme) -> String {
        let colours =
            switch theme {
            case .automatic:
                sheet(Palette.light.rules) + "@media (prefers-color-scheme:dark){\(sheet(Palette.dark.rules))}"
            case .light: sheet(Palette.light.rules)
            case .dark: sheet(Palette.dark.rules)
            }
        return sheet(rules) + colours
    }

    private static func sheet(_ rules: [String]) -> String { rules.map { ".conair-chart \($0)" }.joined() }

    private static let rules = [
        "text{font-family:system-ui,sans-serif;font-size:14px}", ".small{font-size:13px}",
        ".title{font-size:16px;font-weight:600}", ".latest{font-size:24px;font-weight:600}", ".note{font-size:18px}",
        ".major{font-weight:600}", "path{fill:none;stroke-linecap:round;stroke-linejoin:round}",
        ".line{stroke-width:2}", ".dot{stroke-width:4}", ".before{stroke-width:1}", ".band{fill-opacity:.25}",
        ".field{fill-opacity:.5}",
        ".layer0{fill-opacity:.35}", ".layer1{fill-opacity:.55}", ".layer2{fill-opacity:.9}",
    ]

    /// The colors of a theme.
    private struct Palette {
        let paper: String
        let text: String
        let quiet: String
        let grid: String
        let line: String
        let low: String

        static let light = Palette(
            paper: "#fff",
            text: "#1b1f24",
            quiet: "#59636e",
            grid: "#dfe3e8",
            line: "#0a66c2",
            low: "#b3541e"
        )
        static let dark = Palette(
            paper: "#14181d",
            text: "#e8ecf1",
            quiet: "#a3adb8",
            grid: "#313a44",
            line: "#6cb6ff",
            low: "#f0a36b"
        )

        var rules: [String] {
            [
                "text{fill:\(text)}", ".small{fill:\(quiet)}", ".note{fill:\(quiet)}", ".paper{fill:\(paper)}",
                ".grid{stroke:\(grid)}", ".axis{stroke:\(quiet)}", ".line{stroke:\(line)}", ".dot{stroke:\(line)}",
                ".before{stroke:\(quiet)}", ".field{fill:\(grid)}", ".band{fill:\(line)}", ".newest{fill:\(line)}",
                ".above{fill:\(line)}", ".below{fill:\(low)}",
            ]
        }
    }
}
