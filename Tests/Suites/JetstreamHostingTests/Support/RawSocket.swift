import Foundation

/// A TCP connection to this machine, for requests that are no WebSocket's.
struct RawSocket {
    private let handle: FileHandle

    init(port: Int) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    func send(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }

    /// The first line that comes. The server ends the connection behind its response.
    func line() throws -> String {
        let text = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }
}
