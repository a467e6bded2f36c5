internal import Foundation
internal import HeliumFiles
internal import HeliumJSON

/// Writes lines to a new file that replaces an old one when it is complete. Only its owner can read it.
final class LineFileWriter {
    private let target: FileTarget
    private let sibling: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    /// The number of written lines.
    private(set) var lines = 0

    private static let bufferSize = 256 << 10

    /// Creates the temporary file.
    ///
    /// - Parameters:
    ///   - name: A name that distinguishes the temporary file from those of other writers.
    ///   - databasePath: The database file, which an export must not replace.
    ///   - register: Called with the path of the temporary file before it is created. Default: does nothing.
    /// - Throws: ``MessageBeastError``.
    init(_ path: String, name: String, databasePath: String?, register: (String) -> Void = { _ in }) throws {
        do {
            target = try FileTarget(path)
        } catch {
            throw MessageBeastError.file("the export cannot be written", error)
        }
        guard target.isReplaced else {
            throw MessageBeastError(.invalidArgument, "an export can be written only to a regular file")
        }
        if let databasePath, let facts = target.facts {
            let own = ["", "-wal", "-shm"].compactMap { try? FileFacts(atPath: databasePath + $0) }
            guard !own.contains(where: { $0.identity == facts.identity }) else {
                throw MessageBeastError(.invalidArgument, "an export must not replace the database")
            }
        }
        let temporary = "\(target.path).\(name)"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        sibling = temporary
        register(temporary)
        descriptor = retryingInterrupted { open(temporary, flags, 0o600) }
        guard descriptor >= 0 else { throw MessageBeastError.file("the export cannot be written", .last) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(sibling)
    }

    /// Writes a line: an object with one member.
    func write(_ name: String, _ object: JSONObject) throws {
        buffer.append(contentsOf: JSONValue.object([name: .object(object)]).data())
        buffer.append(UInt8(ascii: "\n"))
        lines += 1
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Syncs the file to disk and moves it to its final path.
    func finish() throws {
        try flush()
        guard fsync(descriptor) == 0 else { throw MessageBeastError.file("the export cannot be written", .last) }
        do {
            try target.install(sibling, descriptor: descriptor, permissions: .ownerOnly)
        } catch {
            throw MessageBeastError.file("the export cannot be written", error)
        }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws {
        do { try Descriptors.write(buffer, to: descriptor) } catch {
            throw MessageBeastError.file("the export cannot be written", error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Reads a file line by line.
final class LineFileReader {
    private let handle: FileHandle
    private let maximum: Int
    private var buffer: [UInt8] = []
    /// The start of the next line in the buffer.
    private var start = 0
    private var isAtEnd = false
    /// The number of the last line that was read.
    private(set) var number = 0

    private static let pieceSize = 256 << 10

    /// Opens a file.
    ///
    /// - Parameter maximum: The maximum length of a line, in bytes.
    /// - Throws: ``MessageBeastError``.
    init(_ path: String, maximum: Int = ExportFormat.maximumLine) throws {
        let descriptor = retryingInterrupted { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw MessageBeastError.file("the file to import cannot be read", .last) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.maximum = maximum
    }

    /// Returns the next line without its line end; `nil` after the last one.
    ///
    /// - Throws: ``MessageBeastError``, including the kind ``MessageBeastError/Kind/invalidImport`` for a line that is
    ///   too long.
    func next() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = lineFeed(from: searched) {
                defer { start = end + 1 }
                number += 1
                return Array(buffer[start..<end])
            }
            guard !isAtEnd else { break }
            guard buffer.count - start <= maximum else {
                throw MessageBeastError(.invalidImport, "line \(number + 1) is longer than \(maximum) bytes")
            }
            // Frees the space of the lines that were already returned.
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            do {
                let piece = try handle.read(upToCount: Self.pieceSize) ?? Data()
                isAtEnd = piece.isEmpty
                buffer.append(contentsOf: piece)
            } catch {
                throw MessageBeastError(.fileFailed, "the file to import cannot be read")
            }
        }
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        number += 1
        return Array(buffer[start...])
    }

    /// Returns the position of the next line end. Uses `memchr`, because a line may have megabytes.
    private func lineFeed(from position: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard position < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + position, 0x0A, bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
