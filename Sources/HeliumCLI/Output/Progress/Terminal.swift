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
            width: size(of: STDERR_FILENO).columns
        ) {
            Console.tell($0)
        }
    }

    /// The size of a terminal in characters; 80 columns and 24 rows if it does not state its size.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
