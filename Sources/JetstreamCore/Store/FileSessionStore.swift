internal import Foundation
internal import HeliumCore
internal import HeliumFiles

/// A store in a file that only its owner may read. Each write replaces the file atomically.
///
/// The file contains the session token and the contents of change sets without a reply. It is rewritten for each batch
/// of messages, which takes time proportional to the size of these contents.
public struct FileSessionStore: SessionStore {
    /// The path of the file. Missing parent folders are created, readable only by their owner.
    public let path: String

    /// The maximum size of a file that is read, in bytes.
    private static let maximumBytes: Int64 = 256 << 20

    /// Creates a store in a file. The file need not exist.
    public init(path: String) { self.path = path }

    /// Returns the session in the file; `nil` if there is no file.
    ///
    /// - Throws: ``JetstreamError`` of kind `storeFailed` if the file cannot be read or does not contain a stored
    ///   session.
    public func load() async throws -> StoredSession? {
        let facts: FileFacts
        do { facts = try FileFacts(atPath: path) } catch  where error.code == ENOENT { return nil } catch {
            throw failure("it can't be examined", error)
        }
        guard facts.kind == .regular, facts.size <= Self.maximumBytes,
            let data = FileManager.default.contents(atPath: path)
        else { throw failure("it can't be read") }
        if data.isEmpty { return nil }
        guard let session = StoredSession(data: data) else { throw failure("it is not a stored session") }
        return session
    }

    /// Replaces the session in the file.
    ///
    /// - Throws: ``JetstreamError`` of kind `storeFailed`.
    public func save(_ session: StoredSession?) async throws {
        do {
            try Folders.create(FileTarget.folder(of: path), mode: 0o700)
            try FileTarget(path).replace(with: session?.data ?? Data(), permissions: .ownerOnly)
        } catch {
            throw failure("it can't be written", error)
        }
    }

    private func failure(_ reason: String, _ error: SystemError? = nil) -> JetstreamError {
        let cause = error.map { " (system error \($0.code))" } ?? ""
        return JetstreamError(.storeFailed, "the session store \(path): \(reason)\(cause)", delivery: .notSent)
    }
}
