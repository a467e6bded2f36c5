import Foundation

/// A document on the command line: a file, a pipe or a device; `-` is standard input.
struct InputFile {
    /// The maximum number of bytes that are read. A device may have no end.
    static let maximumBytes = 1 << 30

    let path: String

    /// The name for messages.
    var name: String { path == "-" ? "standard input" : path }

    /// Whether the name gives no information about the contents.
    var isNameless: Bool { path == "-" || path.hasPrefix("/dev/") }

    /// Returns the text of a small file, such as a secret, without white space around it; `nil` if the file can't be read,
    /// is longer than 64 KiB or is not UTF-8.
    func trimmedText() -> String? {
        guard let contents = try? contents(upTo: 64 << 10), let text = String(validating: contents, as: UTF8.self)
        else {
            return nil
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Reads the contents.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: `CommandFailure` with the path and the reason.
    func contents(upTo limit: Int = Self.maximumBytes) throws -> Data {
        let context = CommandContext.current
        let descriptor =
            path == "-" ? context.input.fileDescriptor : open(context.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { if path != "-" { close(descriptor) } }
        var contents = Data()
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            if count == 0 { return contents }
            contents.append(contentsOf: chunk[..<count])
            guard contents.count <= limit else {
                throw CommandFailure("\(name): the file can't be read: it has more than \(limit) bytes")
            }
        }
    }

    private func failure(_ error: Int32) -> CommandFailure {
        CommandFailure("\(name): the file can't be read: \(String(cString: strerror(error)))")
    }
}
