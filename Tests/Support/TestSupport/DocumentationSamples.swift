import Foundation

/// The Swift samples of README, DocC articles, `Docs` and doc comments, held against the sources that compile them.
///
/// A compiled sample is the text between `// sample` and `// end of sample` in a Swift file below `Tests`. In the consumer
/// package it begins with `// sample: NAME`. A block of documentation that cannot be compiled has
/// `<!-- not compiled: REASON -->` on the line before it. Doc comments count where DocC publishes them: at public
/// declarations.
package enum DocumentationSamples {
    private struct Block {
        var place: String
        var text: String
        var isExempt: Bool
    }

    /// The blocks that no source compiles and the compiled samples that no document shows; empty if all is well.
    ///
    /// - Throws: `CocoaError` where a file can't be read.
    package static func problems() throws -> [String] {
        let shown = try documentBlocks() + commentBlocks()
        let compiled = try sources().flatMap(samples)
        let compiledTexts = Set(compiled.map(\.text))
        let shownTexts = Set(shown.map(\.text))
        let missing = shown.filter { !$0.isExempt && !compiledTexts.contains($0.text) }
        let unused = compiled.filter { !shownTexts.contains($0.text) }
        let needless = shown.filter { $0.isExempt && compiledTexts.contains($0.text) }
        return missing.map { "\($0.place): no test compiles this block as it stands" }
            + unused.map { "\($0.place): no document or doc comment shows this sample as it is compiled" }
            + needless.map { "\($0.place): this block is compiled; its mark says that it is not" }
    }

    /// The numbers of Swift blocks in documents and in doc comments, and of those marked as not compiled.
    package static func counts() throws -> (documents: Int, comments: Int, exempt: Int) {
        let (documents, comments) = (try documentBlocks(), try commentBlocks())
        return (documents.count, comments.count, (documents + comments).count { $0.isExempt })
    }

    private static func documentBlocks() throws -> [Block] {
        try blocks(in: documents(), DocumentationBlock.blocks(ofMarkdown:))
    }

    private static func commentBlocks() throws -> [Block] {
        try blocks(in: files(below: "Sources", extension: "swift"), DocumentationBlock.blocks(ofSwift:))
    }

    // MARK: Reading

    private static func blocks(
        in files: [URL],
        _ read: ([Substring]) -> [DocumentationBlock]
    ) throws -> [Block] {
        try files.flatMap { file in
            try read(lines(of: file)).map { Block(place: place(file, $0.line), text: $0.text, isExempt: $0.isExempt) }
        }
    }

    private static func samples(in file: URL) throws -> [Block] {
        var samples: [Block] = []
        var open: (number: Int, lines: [Substring])?
        for (index, line) in try lines(of: file).enumerated() {
            let content = line.drop { $0 == " " }
            if content == "// sample" || content.hasPrefix("// sample: ") {
                open = (index + 1, [])
            } else if content == "// end of sample" {
                guard let sample = open else { continue }
                let text = DocumentationBlock.dedented(sample.lines)
                samples.append(Block(place: place(file, sample.number), text: text, isExempt: false))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return samples
    }

    private static func place(_ file: URL, _ line: Int) -> String {
        "\(file.path.dropFirst(SharedDocuments.package.path.count + 1)):\(line)"
    }

    private static func lines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    // MARK: Files

    private static func documents() -> [URL] {
        let top = files(in: SharedDocuments.package, extension: "md", isDeep: false)
        return top + ["Sources", "Docs"].flatMap { files(below: $0, extension: "md") }
    }

    private static func sources() -> [URL] { ["Tests", "Examples"].flatMap { files(below: $0, extension: "swift") } }

    private static func files(below folder: String, extension kind: String) -> [URL] {
        files(in: SharedDocuments.package.appendingPathComponent(folder), extension: kind, isDeep: true)
    }

    private static func files(in folder: URL, extension kind: String, isDeep: Bool) -> [URL] {
        var options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        if !isDeep { options.insert(.skipsSubdirectoryDescendants) }
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: options)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == kind }
            .sorted { $0.path < $1.path }
    }
}
