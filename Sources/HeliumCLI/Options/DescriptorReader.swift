import Foundation

/// Reads from a descriptor: standard input, a file, a pipe or a device. All input of the tool is read here.
enum DescriptorReader {
    /// The error thrown when reading fails, with the system's error message.
    struct Unreadable: Error, CustomStringConvertible {
        let name: String
        let number: Int32

        var description: String {
            // The number of a closed descriptor may have been reused for another file that cannot be read.
            let isClosed = number == EBADF || number == EINVAL
            return "\(name) can't be read: \(isClosed ? "it is closed" : String(cString: strerror(number)))"
        }
    }

    /// Returns the next bytes; `nil` at the end. Blocks until there are some.
    ///
    /// - Parameters:
    ///   - name: The name of the input, for the error message.
    ///   - size: The maximum number of bytes.
    /// - Throws: ``Unreadable``. A descriptor that has no data now (`EAGAIN`) has not ended, and is waited for: another
    ///   process may have made a shared terminal or pipe non-blocking.
    static func next(from descriptor: Int32, named name: String, upTo size: Int) throws(Unreadable) -> Data? {
        var bytes = [UInt8](repeating: 0, count: size)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return Data(bytes[..<count]) }
            if count == 0 { return nil }
            let number = errno
            switch number {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK:
                var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // An error of the descriptor is reported by the next read.
                _ = poll(&request, 1, -1)
            default: throw Unreadable(name: name, number: number)
            }
        }
    }
}
