internal import CHostName

/// The A-label form of hosts in other scripts (RFC 5891), by libcurl's IDN library: the client does without Foundation's ICU.
enum InternationalHost {
    /// The maximum length of a host in bytes (RFC 1035 section 2.3.4).
    private static let maximumBytes = 253

    /// The host in ASCII, in lower case.
    ///
    /// libcurl maps some characters to ones that no host has (`a／b.de` to `a/b.de`), and lets labels be empty. Both would be
    /// another host than was meant, so they are refused here.
    ///
    /// - Throws: ``InvalidURL`` where the host has no such form, and where this machine can't make it.
    static func ascii(_ host: some StringProtocol) throws(InvalidURL) -> String {
        // No host has more code points than its A-label may have bytes. Making one normalizes the host first, which takes the
        // square of its length where that consists of combining marks.
        guard host.unicodeScalars.count <= maximumBytes else {
            throw InvalidURL("the host is too long")
        }
        // A zero byte would end the text for C.
        guard !host.utf8.contains(0) else { throw InvalidURL("the host has invalid characters") }
        var buffer = [CChar](repeating: 0, count: maximumBytes + 1)
        guard helium_host_to_ascii(String(host), &buffer, buffer.count) == 0 else {
            throw InvalidURL(
                "the host is not a valid internationalized name, or this libcurl does not support such names"
            )
        }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A full stop at the end is that of the root.
        guard !labels.dropLast().contains(where: \.isEmpty), labels.count > 1 || labels.first?.isEmpty == false,
            labels.allSatisfy({ $0.allSatisfy(Origin.isHostByte) })
        else { throw InvalidURL("the host has invalid characters") }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
