internal import HeliumCompression

/// The content coding of a response's body.
enum WireCoding {
    case identity, gzip, deflate
    /// `deflate` without the format of zlib, as some servers send it.
    case rawDeflate

    static func pick(_ dice: WireDice) -> Self {
        dice.oneIn(8) ? dice.pick([.gzip, .gzip, .deflate, .rawDeflate]) : .identity
    }

    /// The value of `Content-Encoding`.
    var name: String? {
        switch self {
        case .identity: nil
        case .gzip: "gzip"
        case .deflate, .rawDeflate: "deflate"
        }
    }

    func encode(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .identity: bytes
        case .gzip: Gzip.compressed(bytes)
        case .deflate: Gzip.deflated(bytes)
        case .rawDeflate: Gzip.rawDeflated(bytes)
        }
    }
}
