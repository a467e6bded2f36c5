import Foundation

/// Samples of documentation that a test file compiles and runs: what stands between `// sample` and `// end of sample`.
package enum ArticleSamples {
    /// The file's samples that no article has as they are compiled, and a word if the articles have others.
    ///
    /// - Parameters:
    ///   - file: The test file (`#filePath`), three folders below the package.
    ///   - articles: The articles' paths in the package.
    package static func differences(in file: String, articles: [String]) throws -> [String] {
        let here = URL(fileURLWithPath: file)
        let root = (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
        let text = try articles.map { try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8) }
            .joined()
        let samples = samples(in: try String(contentsOf: here, encoding: .utf8))
        let shown = text.components(separatedBy: "```swift").count - 1
        return samples.filter { !text.contains($0) }
            + (samples.count == shown ? [] : ["\(shown) samples are shown and \(samples.count) compiled"])
    }

    /// Each without the indentation of its first line.
    private static func samples(in source: String) -> [String] {
        var samples: [String] = []
        var open: [Substring]?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// sample":
                open = []
            case "// end of sample":
                let lines = open ?? []
                let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
                let cut = lines.map { $0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count)) }
                samples.append(cut.joined(separator: "\n"))
                open = nil
            default:
                open?.append(line)
            }
        }
        return samples
    }
}
