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

    /// Reads the contents.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: `CommandFailure` with the path and the reason. A part of the contents is never returned.
    func contents(upTo limit: Int = Self.maximumBytes) throws -> Data {
        let context = CommandContext.current
        let descriptor =
            path == "-" ? context.input.fileDescriptor : open(context.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { if path != "-" { close(descriptor) } }
        var contents = Data()
        do {
            while let chunk = try DescriptorReader.next(from: descriptor, named: name, upTo: Self.chunkSize) {
                contents.append(chunk)
                guard contents.count <= limit else {
                    throw CommandFailure("\(name): the file can't be read: it has more than \(limit) bytes")
                }
            }
        } catch let error as DescriptorReader.Unreadable {
            throw failure(error.number)
        }
        return contents
    }

    private static let chunkSize = 256 << 10

    private func failure(_ error: Int32) -> CommandFailure {
        CommandFailure("\(name): the file can't be read: \(String(cString: strerror(error)))")
    }
}

extension InputFile {
    /// Checks whether the file can be read, without reading it.
    ///
    /// - Parameter option: The option that names the file, for the error message.
    /// - Throws: `CommandFailure` if it cannot.
    func check(for option: String) throws {
        guard !FileManager.default.isReadableFile(atPath: CommandContext.current.path(path)) else { return }
        throw CommandFailure("invalid \(option): the file \(path) can't be read")
    }

    /// The maximum size of a file with a secret, in bytes.
    private static let maximumSecretBytes = 64 << 10

    /// Reads a secret from a file that contains nothing else. The file may be a pipe, such as that of a shell's process
    /// substitution, so it can be read only once.
    ///
    /// - Parameter purpose: The name of the file's content, such as `secret file`, for the error message.
    /// - Throws: `CommandFailure` if the file cannot be read, is empty or not valid UTF-8. It names the path only if there
    ///   is such a file: otherwise the text may be the secret itself, in place of a path.
    func secret(_ purpose: String) throws -> String {
        guard path == "-" || FileManager.default.fileExists(atPath: CommandContext.current.path(path)) else {
            throw CommandFailure("the \(purpose) can't be found: give the path of a file, and not what is in it")
        }
        let bytes: Data
        do { bytes = try contents(upTo: Self.maximumSecretBytes) } catch let failure as CommandFailure {
            throw CommandFailure("the \(purpose) \(failure.description)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("the \(purpose) \(name) is not valid UTF-8")
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw CommandFailure("the \(purpose) \(name) is empty") }
        Console.current.secrets.add([secret])
        return secret
    }
}
