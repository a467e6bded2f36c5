import Foundation

/// A sample of the README that a test file compiles and runs: what stands between `// README sample` and `// end of sample`.
package enum ReadmeSample {
    /// Whether the README has the file's sample as it is compiled.
    ///
    /// - Parameter file: The test file (`#filePath`).
    /// - Throws: `CocoaError` where a file can't be read.
    package static func stands(in file: String) throws -> Bool {
        let readme = try text(SharedDocuments.package.appendingPathComponent("README.md"))
        let source = try text(URL(fileURLWithPath: file))
        guard let start = source.range(of: "        // README sample\n"),
            let end = source.range(of: "        // end of sample\n", range: start.upperBound..<source.endIndex)
        else { return false }
        let lines = source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        let indentation = lines.first?.prefix { $0 == " " }.count ?? 0
        let sample = lines.map { $0.dropFirst(min(indentation, $0.prefix { $0 == " " }.count)) }.joined(separator: "\n")
        return sample.count > 100 && readme.contains(sample)
    }

    private static func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }
}
