import Foundation

/// The output for progress.
struct Terminal: Sendable {
    /// Whether the output is a terminal that can return to the start of a line.
    var isTerminal: Bool

    /// The number of columns.
    var width: Int

    /// Writes text unchanged.
    var write: @Sendable (String) -> Void

    /// Replaces the line that is shown. Returns to its start, and clears the rest of a longer line.
    func redraw(_ line: OutputText) { write("\r\(line.text)\u{1B}[K") }

    /// The standard error of the current command.
    static var standardError: Self {
        let context = CommandContext.current
        let console = context.console
        let isDumb = context.environment["TERM"] == "dumb"
        return Terminal(
            isTerminal: isatty(console.error.fileDescriptor) == 1 && !isDumb && !console.isSilent,
            width: size(of: console.error).columns
        ) {
            console.writeError($0)
        }
    }

    /// Returns the size of a terminal in characters; 80 columns and 24 rows if it does not report its size.
    static func size(of file: FileHandle) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(file.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}
