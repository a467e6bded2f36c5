import CLibcurl
import HeliumCore

extension PublicAddress {
    /// Returns whether an address that libcurl is about to connect to is public.
    static func contains(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        // libcurl's structure ends with the first bytes of the address, whose memory is long enough for its family.
        guard let start = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return false }
        let bytes: (offset: Int?, count: Int)
        switch address.pointee.family {
        case AF_INET: bytes = (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: bytes = (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: return false
        }
        guard let offset = bytes.offset, start + offset + bytes.count <= start + Int(address.pointee.addrlen) else {
            return false
        }
        let memory = UnsafeRawBufferPointer(start: UnsafeRawPointer(address) + start + offset, count: bytes.count)
        return contains(memory)
    }
}
