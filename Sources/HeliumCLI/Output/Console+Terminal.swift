import Foundation
import HeliumFiles

extension Console {
    /// Returns an output whose standard output is the terminal at a path, such as `/dev/tty` or `/dev/stdout`; `nil` if the
    /// path is not that of a terminal. Text of others that a command writes to a file must go there escaped.
    ///
    /// Only character devices are opened: opening a pipe would wait for its reader.
    static func terminal(atPath path: String) -> Console? {
        guard (try? FileFacts(atPath: path))?.kind == .characterDevice else { return nil }
        let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let console = Console(output: file, error: current.error)
        return console.isTerminal ? console : nil
    }
}
