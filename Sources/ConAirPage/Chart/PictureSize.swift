internal import HeliumJSON

/// The size of a chart's picture. Its texts match those of the page only if it is not scaled down much.
enum PictureSize: String, CaseIterable, Sendable {
    /// The size for desktop windows.
    case wide
    /// The size for phones.
    case narrow

    /// Reads the size from a query such as `size=narrow`. A missing or unknown size becomes wide.
    init(query: Substring) {
        let name = query.split(atByte: "&").last { $0.hasBytePrefix("size=") }?.split(atByte: "=", maxSplits: 1).last
        self = name.flatMap { PictureSize(rawValue: String($0)) } ?? .wide
    }

    var width: Double {
        switch self {
        case .wide: 720
        case .narrow: 400
        }
    }

    var height: Double {
        switch self {
        case .wide: 360
        case .narrow: 320
        }
    }
}
