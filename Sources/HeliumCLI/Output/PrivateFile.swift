import Foundation
import HeliumKit

/// A temporary file in a folder of its own that only its owner can read. It has the content of a standard stream, for
/// code that needs the path of a file.
struct PrivateFile {
    let path: String
    private let folder: String

    private static let blockBytes = 256 << 10

    /// Creates the folder. The file does not exist yet.
    ///
    /// - Throws: `CommandFailure` if the folder can't be created.
    init() throws {
        let context = CommandContext.current
        folder = context.temporaryFolder.appendingPathComponent("helium-\(UUID().uuidString)").path
        guard mkdir(folder, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure("the folder \(folder) can't be created: \(reason); set TMPDIR to another folder")
        }
        path = "\(folder)/content"
        context.temporaryFiles.add(folder)
        context.temporaryFiles.add(path)
    }

    /// Deletes the file, if there is one, and the folder.
    func remove() {
        unlink(path)
        rmdir(folder)
    }

    /// Runs `work` with the path of a file that has the content of standard input.
    ///
    /// - Throws: `CommandFailure` if standard input can't be read or stored; the error of `work`.
    static func withStandardInput(_ work: (_ path: String) async throws -> Void) async throws {
        let file = try PrivateFile()
        defer { file.remove() }
        let path = file.path
        try await TerminationSignals.cancelling {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw CommandFailure("standard input can't be stored: \(reason(errno))") }
            let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let input = StandardInput()
            try await withTaskCancellationHandler {
                while true {
                    switch try await input.next() {
                    case .bytes(let block):
                        do { try output.write(contentsOf: block) } catch {
                            throw CommandFailure("standard input can't be stored: \(error.localizedDescription)")
                        }
                    case .end: return
                    // Input that ends because of a signal is not complete.
                    case .stopped: throw CancellationError()
                    }
                }
            } onCancel: {
                input.stop()
            }
        }
        try await work(path)
    }

    /// Runs `work`, which creates a file at a path, and writes the content of the file to the standard output of a console
    /// when it is complete.
    ///
    /// - Returns: The result of `work`.
    /// - Throws: The error of `work`. Nothing is written in that case.
    static func printing<Value: Sendable>(
        to console: Console = .current,
        _ work: @escaping @Sendable (_ path: String) async throws -> Value
    ) async throws -> Value {
        let file = try PrivateFile()
        defer { file.remove() }
        let path = file.path
        let (value, descriptor) = try await TerminationSignals.cancelling {
            let value = try await work(path)
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            // Unlink the file now, so that it is deleted however the process ends.
            unlink(path)
            return (value, descriptor)
        }
        guard descriptor >= 0 else { throw CommandFailure("the temporary file can't be read") }
        let content = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var output = BodyOutput(console)
        do {
            while let block = try content.read(upToCount: blockBytes), !block.isEmpty { try output.append(block) }
            try output.finish()
        } catch is Console.BrokenPipe {}
        return value
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
