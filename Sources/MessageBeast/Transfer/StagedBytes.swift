internal import Foundation
internal import HeliumConcurrency
internal import HeliumFiles
internal import Synchronization

/// The staged bytes of pending files, for exports and imports. Names are values of `pending_file.staged_path`.
protocol StagedBytes: Sendable {
    /// Reads a file in pieces of at most `count` bytes.
    ///
    /// - Returns: Whether the file exists.
    /// - Throws: ``MessageBeastError``, and the errors of `body`.
    func forEachPiece(of name: String, size count: Int, _ body: (Data) throws -> Void) throws -> Bool

    /// Creates a file. It exists under its name after it is finished.
    func begin(_ name: String) throws -> any StagedFileWriter

    /// Removes a file. A missing file is not an error.
    func remove(_ name: String)
}

/// A staged file that is being written.
protocol StagedFileWriter {
    func write(_ bytes: Data) throws

    /// Syncs the file to disk and gives it its final name.
    func finish() throws

    /// Removes the written bytes. Does nothing after ``finish()``.
    func abandon()
}

extension StagedFolder {
    func forEachPiece(of name: String, size count: Int, _ body: (Data) throws -> Void) throws -> Bool {
        guard let path = try? path(name) else { return false }
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
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
        let path = try path(name)
        try prepareFolder()
        return try Writer(target: path)
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

extension StagedMemory {
    func forEachPiece(of name: String, size count: Int, _ body: (Data) throws -> Void) throws -> Bool {
        guard var rest = data(of: name) else { return false }
        while !rest.isEmpty {
            try body(Data(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return true
    }

    func begin(_ name: String) throws -> any StagedFileWriter { Writer(name: name, files: self) }

    private final class Writer: StagedFileWriter {
        private let name: String
        private let files: StagedMemory
        private var bytes = Data()

        init(name: String, files: StagedMemory) {
            self.name = name
            self.files = files
        }

        func write(_ bytes: Data) { self.bytes += bytes }

        func finish() { files.set(bytes, of: name) }

        func abandon() { bytes = Data() }
    }
}
