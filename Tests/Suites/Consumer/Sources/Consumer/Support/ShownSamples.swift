import Foundation

/// The samples that these sources compile. Each must be a Swift block of a document, with the same text.
///
/// The documents are the README, the DocC articles and the pages below `Docs`. That each Swift block of a document is
/// compiled is checked by the package's own tests.
struct ShownSamples {
    /// The package's root, found from this file.
    static let root = (0..<7).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    private static let opening = "// sample: "
    private static let closing = "// end of sample"

    /// The samples that no document shows as they are compiled, and those that no check runs; empty if there are none.
    static func problems(running names: Set<String>) throws -> [String] {
        var problems: [String] = []
        let compiled = try compiledSamples(&problems)
        let blocks = try documents().reduce(into: Set<String>()) { $0.formUnion(try Self.blocks(of: $1)) }
        for (name, text) in compiled where !blocks.contains(text) {
            problems.append("no document shows the sample \(name) as it is compiled")
        }
        for name in compiled.keys where !names.contains(name) {
            problems.append("the sample \(name) is compiled and never run")
        }
        return problems.sorted()
    }

    private static func documents() -> [URL] {
        var documents = [root.appending(path: "README.md")]
        for folder in ["Docs", "Sources"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder),
                includingPropertiesForKeys: nil
            )
            documents += (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "md" }
        }
        return documents
    }

    private static func blocks(of document: URL) throws -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in try lines(of: document) {
            if let lines = block {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n"))
                    block = nil
                } else {
                    block?.append(line)
                }
            } else if line == "```swift" {
                block = []
            }
        }
        return blocks
    }

    private static func compiledSamples(_ problems: inout [String]) throws -> [String: String] {
        let folder = root.appending(path: "Tests/Suites/Consumer/Sources/Consumer/Samples")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var samples: [String: String] = [:]
        for file in files where file.pathExtension == "swift" {
            var name: String?
            var indent = 0
            var text: [Substring] = []
            for line in try lines(of: file) {
                let content = line.drop { $0 == " " }
                if content.hasPrefix(opening) {
                    name = String(content.dropFirst(opening.count))
                    indent = line.count - content.count
                    text = []
                } else if content == closing, let sample = name {
                    if samples.updateValue(text.joined(separator: "\n"), forKey: sample) != nil {
                        problems.append("two samples have the name \(sample)")
                    }
                    name = nil
                } else if name != nil {
                    text.append(line.dropFirst(min(indent, line.count - content.count)))
                }
            }
            if let name { problems.append("the sample \(name) has no end in \(file.lastPathComponent)") }
        }
        return samples
    }

    private static func lines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
