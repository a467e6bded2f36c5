import Foundation

/// A terminal without a screen.
final class PseudoTerminal: Sendable {
    private let master: Int32

    /// The end of the terminal that a process gets.
    let process: FileHandle

    /// - Parameters:
    ///   - columns: Its width; 0 if it does not state its size.
    ///   - rows: Its height.
    init?(columns: Int = 0, rows: Int = 0) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        var descriptors: (master: Int32, process: Int32) = (-1, -1)
        guard openpty(&descriptors.master, &descriptors.process, nil, nil, &size) == 0 else { return nil }
        master = descriptors.master
        process = FileHandle(fileDescriptor: descriptors.process, closeOnDealloc: true)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit { close(master) }

    /// The path of its device; `nil` if it has none.
    var path: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(process.fileDescriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(process.fileDescriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Returns the text that was written to the terminal so far. Does not wait.
    func shown() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var text: [UInt8] = []
        while true {
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text += bytes.prefix(count)
        }
    }
}
