import Foundation

/// A document on the command line: a file, a pipe or a device; `-` is standard input.
struct InputFile {
    /// The most bytes that are read: from a device there may be no end of them.
    static let maximumBytes = 1 << 30

    let path: String

    /// What to call it.
    var name: String { path == "-" ? "standard input" : path }

    /// Whether its name says nothing of what is in it.
    var isNameless: Bool { path == "-" || path.hasPrefix("/dev/") }

    /// What is in it.
    ///
    /// - Throws: `CommandFailure` with path and reason.
    func contents() throws -> Data {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
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
            guard contents.count <= Self.maximumBytes else {
                throw CommandFailure("\(name): the file can't be read: it has more than \(Self.maximumBytes) bytes")
            }
        }
    }

    private func failure(_ error: Int32) -> CommandFailure {
        CommandFailure("\(name): the file can't be read: \(String(cString: strerror(error)))")
    }
}
