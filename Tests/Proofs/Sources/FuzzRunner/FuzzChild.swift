import Foundation

/// A process of ours, looked after by hand: Foundation's `Process` does not notice the end of every one that traps.
struct FuzzChild {
    private let identifier: pid_t

    init(arguments: [String]) throws {
        var vector = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        var environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for variable in environment { free(variable) } }
        var identifier = pid_t()
        let code = posix_spawn(&identifier, arguments[0], nil, nil, &vector, &environment)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        self.identifier = identifier
    }

    /// The status with which it has ended, that of a signal being 128 and its number; `nil` while it runs.
    func status() -> Int32? { wait(WNOHANG) }

    /// Ends it; the status.
    func end() -> Int32 {
        _ = kill(identifier, SIGKILL)
        return wait(0) ?? -1
    }

    private func wait(_ options: Int32) -> Int32? {
        var status: Int32 = 0
        guard waitpid(identifier, &status, options) == identifier else { return nil }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
