/// The sizes of the picture of a chart. Its texts are as large as those of the page only if it is not scaled down much.
enum PictureSize: String, CaseIterable, Sendable {
    /// For windows.
    case wide
    /// For phones.
    case narrow

    /// The size that a query asks for: `size=narrow`. A wide one if it asks for none, or for an unknown one.
    init(query: Substring) {
        let name = query.split(separator: "&").last { $0.hasPrefix("size=") }?.dropFirst("size=".count)
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
