internal import Foundation
internal import GRDB
internal import HeliumDatabase
internal import HeliumFiles

/// The staged bytes of pending files, as exports and imports need them. Names are those of `pending_file.staged_path`.
protocol StagedBytes: Sendable {
    /// Reads a file in pieces.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``MessageBeastError``, and what `body` throws.
    func read(_ name: String, pieces count: Int, _ body: (Data) throws -> Void) throws -> Bool

    /// Begins a file. It is there once it was finished.
    func begin(_ name: String) throws -> any StagedFileWriter

    /// Removes a file. One that is missing is no error.
    func remove(_ name: String)
}

/// A staged file that is being written.
protocol StagedFileWriter {
    func write(_ bytes: Data) throws

    /// Puts the file in its place, on the disk.
    func finish() throws

    /// Removes what was written. Does nothing after ``finish()``.
    func abandon()
}

/// A folder of staged files, which only their owner can read.
struct StagedFolder: StagedBytes {
    let path: String

    /// The folder of a database; `nil` for one in memory.
    init?(of database: BeastDatabase) {
        guard let pool = database.access.database as? DatabasePool else { return nil }
        path = pool.path + "-files"
    }

    init(path: String) { self.path = path }

    /// Whether a name from an import names a file of the folder and no other.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "."), name.utf8.count <= 200 else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }

    func read(_ name: String, pieces count: Int, _ body: (Data) throws -> Void) throws -> Bool {
        guard Self.isName(name) else { return false }
        let descriptor = retryingInterrupted { open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw MessageBeastError.file("a staged file cannot be read", .last) }
            return false
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        while true {
            let piece: Data?
            do { piece = try handle.read(upToCount: count) } catch {
                throw MessageBeastError(.fileFailed, "a staged file cannot be read")
            }
            guard let piece, !piece.isEmpty else { return true }
            try body(piece)
        }
    }

    func begin(_ name: String) throws -> any StagedFileWriter {
        guard Self.isName(name) else { throw MessageBeastError(.fileFailed, "a staged file has an invalid name") }
        do { try Folders.create(path, mode: 0o700) } catch {
            throw MessageBeastError.file("the folder of staged files cannot be created", error)
        }
        return try Writer(target: "\(path)/\(name)")
    }

    func remove(_ name: String) {
        if Self.isName(name) { unlink("\(path)/\(name)") }
    }

    private final class Writer: StagedFileWriter {
        private let target: String
        private var descriptor: Int32

        init(target: String) throws {
            self.target = target
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
            descriptor = retryingInterrupted { open("\(target).import", flags, 0o600) }
            guard descriptor >= 0 else { throw MessageBeastError.file("a staged file cannot be written", .last) }
        }

        deinit { abandon() }

        func write(_ bytes: Data) throws {
            do { try Descriptors.write(bytes, to: descriptor) } catch {
                throw MessageBeastError.file("a staged file cannot be written", error)
            }
        }

        func finish() throws {
            guard fsync(descriptor) == 0, rename("\(target).import", target) == 0 else {
                throw MessageBeastError.file("a staged file cannot be written", .last)
            }
            close(descriptor)
            descriptor = -1
        }

        func abandon() {
            guard descriptor >= 0 else { return }
            close(descriptor)
            descriptor = -1
            unlink("\(target).import")
        }
    }
}
