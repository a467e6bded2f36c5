internal import Foundation
internal import HeliumCore

/// The staged files of a simulated device. Like a disk, they outlive its engines.
package final class StagedDisk: Sendable {
    private let files = StagedMemory()

    package init() {}

    /// Returns the files as one engine sees them.
    ///
    /// - Parameter pass: Called before each access with the name of the access; throws after the engine has ended.
    func gated(_ pass: @escaping @Sendable (String) throws -> Void) -> any StagedFiles {
        GatedFiles(base: files, pass: pass)
    }
}

private struct GatedFiles: StagedFiles {
    let base: StagedMemory
    let pass: @Sendable (String) throws -> Void

    private func isOpen(_ place: String) -> Bool { (try? pass(place)) != nil }

    func write(_ source: StagingSource, to name: String, atMost limit: Int64) async throws -> StagedContent {
        try pass("write file")
        let content = try await base.write(source, to: name, atMost: limit)
        try pass("wrote file")
        return content
    }

    func move(_ name: String, to other: String) throws {
        try pass("move file")
        try base.move(name, to: other)
        try pass("moved file")
    }

    func remove(_ name: String) { if isOpen("remove file") { base.remove(name) } }

    func names() -> [String] { isOpen("list files") ? base.names() : [] }

    func size(of name: String) -> Int64? { isOpen("size of file") ? base.size(of: name) : nil }

    func content(of name: String) async -> StagedContent? {
        isOpen("read file") ? await base.content(of: name) : nil
    }

    func body(of name: String) -> UploadBody { base.body(of: name) }

    func forEachPiece(of name: String, size count: Int, _ body: (Data) throws -> Void) throws -> Bool {
        try pass("read file")
        return try base.forEachPiece(of: name, size: count, body)
    }

    func begin(_ name: String) throws -> any StagedFileWriter {
        try pass("begin file")
        return try base.begin(name)
    }
}
