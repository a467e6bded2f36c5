import Foundation

/// Where progress is shown, if a person is looking.
struct Terminal: Sendable {
    /// Whether it is a terminal that can go back to the beginning of a line.
    var isTerminal: Bool

    /// Its columns.
    var width: Int

    /// Writes text as it is.
    var write: @Sendable (String) -> Void

    /// The process's standard error.
    static var standardError: Self {
        let isDumb = ProcessInfo.processInfo.environment["TERM"] == "dumb"
        return Terminal(
            isTerminal: isatty(STDERR_FILENO) == 1 && !isDumb && !Console.isSilent,
            width: columns(of: STDERR_FILENO)
        ) {
            Console.tell($0)
        }
    }

    /// 80 where the terminal does not say.
    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
