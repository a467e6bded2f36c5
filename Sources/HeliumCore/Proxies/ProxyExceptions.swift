/// The hosts that are connected to without a proxy: the value of a `no_proxy` variable, by libcurl's rules.
struct ProxyExceptions {
    private let items: [Substring]

    init(_ text: String) {
        items = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    }

    /// Returns whether the host is an exception.
    ///
    /// - Parameter host: A name or an address without brackets.
    func contains(_ host: String) -> Bool {
        let host = Self.trimmed(host[...])
        let address = AddressBytes(host)
        return items.contains { item in
            if item == "*" { return true }
            if let address { return Self.network(item, contains: address) }
            let name = Self.trimmed(item)
            guard !name.isEmpty else { return false }
            return host == name || host.hasSuffix(".\(name)")
        }
    }

    /// Returns the name in lower case, without a dot at either end.
    private static func trimmed(_ name: Substring) -> String {
        var name = name
        if name.first == "." { name = name.dropFirst() }
        if name.last == "." { name = name.dropLast() }
        return name.lowercased()
    }

    private static func network(_ item: Substring, contains address: AddressBytes) -> Bool {
        let parts = item.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let base = parts.first,
            let network = AddressBytes(String(decoding: base.filter { !"[]".utf8.contains($0) }, as: UTF8.self)),
            network.bytes.count == address.bytes.count
        else { return false }
        let width = network.bytes.count * 8
        guard parts.count == 2 else { return network == address }
        guard let prefix = Int(Substring(parts[1])), 0...width ~= prefix else { return false }
        return (0..<prefix).allSatisfy { network.bit($0) == address.bit($0) }
    }
}
