#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The resources that this process has used so far, from `getrusage`.
public struct ProcessUsage: Sendable {
    /// CPU time in user mode, in microseconds.
    public let userMicroseconds: Double
    /// CPU time in the kernel, in microseconds.
    public let systemMicroseconds: Double
    /// The number of times that a thread of the process gave up its core to wait.
    public let voluntarySwitches: Int

    /// Reads the counters now.
    public init() {
        var usage = rusage()
        getrusage(thisProcess, &usage)
        userMicroseconds = Double(usage.ru_utime.tv_sec) * 1e6 + Double(usage.ru_utime.tv_usec)
        systemMicroseconds = Double(usage.ru_stime.tv_sec) * 1e6 + Double(usage.ru_stime.tv_usec)
        voluntarySwitches = usage.ru_nvcsw
    }

    /// The most memory that was ever resident, in kibibytes.
    ///
    /// Linux counts the memory of the process before `exec` into `ru_maxrss`: started by a Python of 30 MB,
    /// no client would be smaller. The high-water mark of `/proc` belongs to the new image alone.
    public static func peakResidentKibibytes() -> Int {
        #if os(Linux)
            kibibytes(of: "VmHWM:")
        #else
            var usage = rusage()
            getrusage(thisProcess, &usage)
            return usage.ru_maxrss / 1024
        #endif
    }

    /// The memory that is resident now, in kibibytes; elsewhere than on Linux the most that ever was.
    public static func residentKibibytes() -> Int {
        #if os(Linux)
            kibibytes(of: "VmRSS:")
        #else
            peakResidentKibibytes()
        #endif
    }

    #if os(Linux)
        private static func kibibytes(of name: String) -> Int {
            guard let file = fopen("/proc/self/status", "r") else { return 0 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                guard text.hasPrefix(name) else { continue }
                return Int(text.filter(\.isNumber)) ?? 0
            }
            return 0
        }
    #endif
}

#if os(Linux)
    // Glibc declares the constant as an enumeration and the parameter as an integer.
    private let thisProcess = __rusage_who_t(RUSAGE_SELF.rawValue)
#else
    private let thisProcess = RUSAGE_SELF
#endif
