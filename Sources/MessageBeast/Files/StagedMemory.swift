internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Staged files in memory: for stores in memory, and as the disk of a simulation, which survives a kill.
final class StagedMemory: StagedFiles {
    private let files = Guarded<[String: Data]>([:])

    func write(_ source: StagingSource, to name: String, atMost limit: Int64) async throws -> StagedContent {
        let data =
            switch source {
            case .data(let data): data
            case .file(let path): try Self.read(path)
            }
        guard Int64(data.count) <= limit else { throw MessageBeastError.stagingFull }
        files.withLock { $0[name] = data }
        return ContentDigest.content(of: data)
    }

    func move(_ name: String, to other: String) throws {
        let isMoved = files.withLock { files in
            guard let data = files.removeValue(forKey: name) else { return false }
            files[other] = data
            return true
        }
        guard isMoved else { throw MessageBeastError(.notFound, "the staged file is missing") }
    }

    func remove(_ name: String) { files.withLock { $0[name] = nil } }

    func data(of name: String) -> Data? { files.withLock { $0[name] } }

    func set(_ data: Data, of name: String) { files.withLock { $0[name] = data } }

    func names() -> [String] { files.withLock { $0.keys.sorted() } }

    func size(of name: String) -> Int64? { files.withLock { $0[name].map { Int64($0.count) } } }

    func content(of name: String) async -> StagedContent? {
        files.withLock { $0[name] }.map(ContentDigest.content)
    }

    func body(of name: String) -> UploadBody {
        guard let data = files.withLock({ $0[name] }) else {
            return UploadBody(length: nil, isReplayable: true) { throw UploadFailure("the staged file is missing") }
        }
        return UploadBody(data)
    }

    private static func read(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            throw MessageBeastError(.notFound, "there is no file to stage at \(path)")
        } catch {
            throw MessageBeastError(.invalidArgument, "the file to stage at \(path) cannot be read")
        }
    }
}

extension MessageBeastError {
    static var stagingFull: Self {
        Self(.stagingFull, "the files waiting to be uploaded already have the maximum total size")
    }
}
