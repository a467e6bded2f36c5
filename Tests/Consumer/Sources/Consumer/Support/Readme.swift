import Foundation

/// The samples as the README prints them and as they stand in these sources: they must be the same text.
struct Readme {
    /// The package's root, found from this file.
    static let root = (0..<6).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    private static let opening = "// README sample: "
    private static let closing = "// README sample end"
    /// Before each Swift block of the README that the consumer compiles: `<!-- sample: name -->`.
    private static let sampleMark = "<!-- sample: "

    /// Returns the differences by sample. The array is empty if there are none.
    static func differences(running names: Set<String>) throws -> [String] {
        var problems: [String] = []
        let printed = try printedSamples(&problems)
        let compiled = try compiledSamples(&problems)
        for (name, text) in printed {
            guard let source = compiled[name] else {
                problems.append("README sample \(name) stands in no source of the consumer")
                continue
            }
            if source != text { problems.append("README sample \(name) differs from the consumer's source") }
        }
        for name in compiled.keys where printed[name] == nil { problems.append("\(name) is missing in the README") }
        for name in compiled.keys where !names.contains(name) { problems.append("\(name) is compiled and never run") }
        return problems.sorted()
    }

    private static func printedSamples(_ problems: inout [String]) throws -> [String: String] {
        let lines = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        var samples: [String: String] = [:]
        var index = 0
        while index < lines.count {
            defer { index += 1 }
            guard lines[index] == "```swift" else { continue }
            let mark = index > 0 ? lines[index - 1] : ""
            let end = lines[index...].firstIndex(of: "```") ?? lines.count
            let text = lines[(index + 1)..<end].joined(separator: "\n")
            index = end
            // Other blocks are compiled by the package's own tests, which see to it that each is.
            guard mark.hasPrefix(sampleMark), mark.hasSuffix(" -->") else { continue }
            let name = String(mark.dropFirst(sampleMark.count).dropLast(4))
            if samples.updateValue(text, forKey: name) != nil { problems.append("README sample \(name) stands twice") }
        }
        return samples
    }

    private static func compiledSamples(_ problems: inout [String]) throws -> [String: String] {
        let folder = root.appending(path: "Tests/Consumer/Sources/Consumer/Samples")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var samples: [String: String] = [:]
        for file in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            var name: String?
            var indent = 0
            var text: [Substring] = []
            for line in lines {
                let content = line.drop { $0 == " " }
                if content.hasPrefix(opening) {
                    name = String(content.dropFirst(opening.count))
                    indent = line.count - content.count
                    text = []
                } else if content == closing, let sample = name {
                    if samples.updateValue(text.joined(separator: "\n"), forKey: sample) != nil {
                        problems.append("\(sample) stands twice in the consumer")
                    }
                    name = nil
                } else if name != nil {
                    text.append(line.dropFirst(min(indent, line.count - content.count)))
                }
            }
            if let name { problems.append("\(name) has no end in \(file.lastPathComponent)") }
        }
        return samples
    }
}
