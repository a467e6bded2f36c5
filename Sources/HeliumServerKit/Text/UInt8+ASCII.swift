extension UInt8 {
    /// Whether the byte is a letter or a digit of ASCII.
    package var isASCIIAlphanumeric: Bool {
        switch self {
        case 48...57, 65...90, 97...122: true
        default: false
        }
    }
}
