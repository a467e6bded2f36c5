internal import HeliumEssentials

/// An IP address as its bytes.
struct AddressBytes: Equatable {
    let bytes: [UInt8]

    /// Creates an address, or returns `nil` for text that is not a literal of IPv4 or IPv6.
    init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// Returns a bit, counted from the most significant one.
    func bit(_ index: Int) -> Bool { bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0 }
}
