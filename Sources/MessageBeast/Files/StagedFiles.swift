internal import Foundation
internal import HeliumCore
internal import HeliumCrypto

/// The bytes of files that wait for upload, in a folder or in memory.
///
/// A file is written under a name that contains the name of the engine (``StagedName``). It gets its final name in the
/// transaction that inserts its row. A file with a final name but without a row is therefore unused.
protocol StagedFiles: StagedBytes {
    /// Copies bytes to a new name, so that they survive a power failure.
    ///
    /// - Throws: ``MessageBeastError/Kind/stagingFull`` for more than `limit` bytes, and the errors of the source and
    ///   the disk. Nothing remains under that name in that case.
    func write(_ source: StagingSource, to name: String, atMost limit: Int64) async throws -> StagedContent

    /// Renames a file.
    ///
    /// - Throws: ``MessageBeastError``.
    func move(_ name: String, to other: String) throws

    /// Returns the names of all files, in no particular order.
    func names() -> [String]

    /// Returns the size of a file in bytes; `nil` if it is missing.
    func size(of name: String) -> Int64?

    /// Reads a whole file and returns its size and checksums; `nil` if it is missing or unreadable.
    func content(of name: String) async -> StagedContent?

    /// Returns a file as a request body that is read while it is sent.
    func body(of name: String) -> UploadBody
}

/// The source of bytes to stage.
enum StagingSource: Sendable {
    case data(Data)
    case file(path: String)
}

/// The size and the checksums of staged bytes, in lower-case hexadecimal.
struct StagedContent: Sendable, Hashable {
    let byteCount: Int64
    let sha256: String
    let sha1: String
}

/// Computes the size and checksums of bytes incrementally.
struct ContentDigest: ~Copyable {
    private var sha256 = SHA256()
    private var sha1 = SHA1()
    private(set) var byteCount: Int64 = 0

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        sha256.update(bytes)
        sha1.update(bytes)
        byteCount += Int64(bytes.count)
    }

    mutating func add(_ data: Data) { data.withUnsafeBytes { update($0) } }

    mutating func finalize() -> StagedContent {
        StagedContent(byteCount: byteCount, sha256: sha256.finalize().hex, sha1: sha1.finalizedHex())
    }

    /// Returns the size and checksums of bytes in memory.
    static func content(of data: Data) -> StagedContent {
        var digest = Self()
        data.withUnsafeBytes { digest.update($0) }
        return digest.finalize()
    }
}

/// The names of staged files: `ID` for a file with a row, `ID.OWNER` while an engine writes it.
enum StagedName {
    static func partial(_ id: String, owner: String) -> String { "\(id).\(owner)" }

    /// Returns the engine that writes a file; `nil` for a final name.
    static func owner(of name: String) -> String? {
        guard let dot = name.utf8.firstIndex(of: 0x2E) else { return nil }
        return String(name[name.index(after: dot)...])
    }

    /// Returns whether a name is valid. Names come from the database and must not lead to another folder.
    static func isValid(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy { ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == 0x2D || $0 == 0x2E }
        return isPlain && !name.isEmpty && name.utf8.first != 0x2E && name.utf8.count <= 128
    }
}
