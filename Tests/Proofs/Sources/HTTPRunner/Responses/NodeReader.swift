import Foundation

/// Node's HTTP client, which reads a batch of responses in a process of its own (peers/read.mjs).
enum NodeReader {
    struct Broken: Error, CustomStringConvertible { let description: String }

    static func read(_ samples: [SampleResponse], script: String) throws -> [Reading] {
        var input = Data()
        for sample in samples {
            input.append(sample.isHead ? UInt8(ascii: "H") : UInt8(ascii: "G"))
            withUnsafeBytes(of: UInt32(sample.bytes.count).bigEndian) { input.append(contentsOf: $0) }
            input.append(contentsOf: sample.bytes)
        }
        // A file: a pipe in both directions could fill up.
        let file = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString)")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let node = Process()
        node.executableURL = URL(filePath: "/usr/bin/env")
        node.arguments = ["node", script]
        node.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        node.standardOutput = output
        try node.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
            separator: "\n"
        )
        node.waitUntilExit()
        guard node.terminationStatus == 0, lines.count == samples.count else {
            throw Broken(
                description: "node: status \(node.terminationStatus), \(lines.count) of \(samples.count) results"
            )
        }
        return lines.map { reading($0) }
    }

    private static func reading(_ line: Substring) -> Reading {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "ok", let status = Int(words[1]),
            let body = Data(base64Encoded: String(words[2]))
        else { return .failed(String(line.dropFirst(7))) }
        return .complete(status: status, body: [UInt8](body))
    }
}
