import Foundation

// Files and pipes as the streams of commands.
extension FileHandle {
    /// A file without a name, open for reading and writing.
    ///
    /// - Parameter contents: The contents, which are read from their start.
    static func temporary(_ contents: Data = Data()) throws -> FileHandle {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/helium-cli-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        unlink(path)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: contents)
        try file.seek(toOffset: 0)
        return file
    }

    /// An input without data. The descriptor of `nullDevice` cannot be read.
    static func noInput() throws -> FileHandle { try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null")) }

    /// Returns the whole text of a file.
    func contents() throws -> String {
        try seek(toOffset: 0)
        let data = try readToEnd() ?? Data()
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CocoaError(.fileReadInapplicableStringEncoding)
        }
        return text
    }

    /// Reads a pipe until it ends.
    ///
    /// - Parameters:
    ///   - isLine: Whether reading stops at the end of the next line, which is left out.
    ///   - hasEnded: Returns whether there is no more data than the data in the pipe. A pipe without writers has ended
    ///     too.
    /// - Throws: ``EndOfOutput`` if there is no next line. `POSIXError` of code `ETIMEDOUT` if it takes longer than
    ///   ``Tool/limit``: no time limit of a test would end a read that blocks.
    func text(isLine: Bool, _ hasEnded: @escaping @Sendable () -> Bool) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try self.blockingText(isLine, before: .now + Tool.limit, hasEnded) })
            }
        }
    }

    private func blockingText(
        _ isLine: Bool,
        before end: ContinuousClock.Instant,
        _ hasEnded: () -> Bool
    ) throws -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: isLine ? 1 : 65_536)
        while true {
            let isLast = hasEnded()
            var wait = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, isLast ? 0 : 20) > 0 else {
                if isLast {
                    if isLine, text.isEmpty { throw EndOfOutput() }
                    break
                }
                if ContinuousClock.now >= end { throw POSIXError(.ETIMEDOUT) }
                continue
            }
            let count = Foundation.read(fileDescriptor, &bytes, bytes.count)
            if count <= 0, isLine, text.isEmpty { throw EndOfOutput() }
            guard count > 0, !isLine || bytes[0] != UInt8(ascii: "\n") else { break }
            text += bytes.prefix(count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text of a file that another process may write to, and leaves the position as it is.
    func currentContents() -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(fileDescriptor, &bytes, bytes.count, off_t(text.count))
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += bytes.prefix(count)
        }
    }
}

/// The error of a read of a line after the end of a stream.
struct EndOfOutput: Error, CustomStringConvertible {
    /// The text on the standard error that was not read yet.
    var errors = ""

    var description: String { "the command's output has ended; its standard error: \(errors.debugDescription)" }
}
