import Foundation

/// The most memory of this process since the last look, from Linux's `/proc`.
enum PeakMemory {
    /// Starts again.
    static func reset() {
        // 5 resets the peak (proc_pid_clear_refs(5)).
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    }

    /// The number of bytes that the process had more than `before` at its peak since the last ``reset()``. `nil` if the system
    /// has no such file.
    static func growth(since before: Int?) -> Int? {
        guard let before, let peak = value("VmHWM:") else { return nil }
        return max(0, peak - before)
    }

    /// The memory at this moment.
    static func now() -> Int? { value("VmRSS:") }

    private static func value(_ name: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(name) }
            .flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first }
            .flatMap { Int($0) }.map { $0 * 1024 }
    }
}
