package import Foundation

/// Runs `body` with a new folder, which is removed afterwards.
///
/// - Throws: The error of `body`. Without one, ``RemainingFolder`` if the folder cannot be removed.
@discardableResult
package nonisolated(nonsending) func withTemporaryFolder<Value>(
    _ body: (URL) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let value: Value
    do {
        value = try await body(folder)
    } catch {
        try? remove(folder)
        throw error
    }
    try remove(folder)
    return value
}

/// Removes a folder. Tries again once, because a process that ends may write a last file meanwhile.
private func remove(_ folder: URL) throws(RemainingFolder) {
    var failure: (any Error)?
    for _ in 0..<2 {
        do { return try FileManager.default.removeItem(at: folder) } catch { failure = error }
    }
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    throw RemainingFolder(path: folder.path, contents: names, reason: failure.map { "\($0)" } ?? "")
}

/// The error of a temporary folder that cannot be removed.
package struct RemainingFolder: Error, CustomStringConvertible {
    package let path: String
    /// The paths that are left in the folder.
    package let contents: [String]
    let reason: String

    package var description: String { "\(path) cannot be removed, and contains \(contents): \(reason)" }
}
