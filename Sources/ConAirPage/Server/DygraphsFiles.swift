internal import Foundation
internal import HeliumFiles

/// The two files of dygraphs that the page uses.
struct DygraphsFiles: Hashable, Sendable {
    let script: [UInt8]
    let style: [UInt8]

    /// The maximum size of a file, in bytes. The files of version 2.2 have 131,054 and 1,255 bytes.
    static let maximumBytes = 4 * 1024 * 1024

    /// Reads the files; `nil` if one is missing, too large or unreadable.
    init?(folder: String) {
        guard let script = Self.bytes(folder, "dygraph.min.js"), let style = Self.bytes(folder, "dygraph.min.css")
        else {
            return nil
        }
        self.script = script
        self.style = style
    }

    private static func bytes(_ folder: String, _ name: String) -> [UInt8]? {
        let url = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
        let facts = try? url.resolvingSymlinksInPath().resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        guard facts?.isRegularFile == true, let size = facts?.fileSize, 1...maximumBytes ~= size,
            let data = try? Data(contentsOf: url), data.count <= maximumBytes
        else { return nil }
        return Array(data)
    }
}
