extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    package var isASCIIAlphanumeric: Bool {
        switch self {
        case 48...57, 65...90, 97...122: true
        default: false
        }
    }
}
