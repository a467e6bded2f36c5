#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The error of a system call: the value of `errno` and the C library's text for it.
package struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    /// Creates an error with a code of `errno.h`.
    package init(_ code: Int32) { self.code = code }

    /// The error of the last system call of this thread.
    package static var last: Self { Self(errno) }

    /// The C library's text, such as `No such file or directory`.
    package var description: String { String(cString: strerror(code)) }
}

/// Repeats a system call that a signal interrupted.
package func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
