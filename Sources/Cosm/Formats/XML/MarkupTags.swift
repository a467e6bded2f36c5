/// Checks the tags of an XML document before parsing. The time of the parser grows with the square of the number of
/// attributes, of the length of names, and of the depth.
struct MarkupTags {
    private let limits: MarkupLimits
    private var depth = 0

    init(limits: MarkupLimits) { self.limits = limits }

    /// Returns the limit that the tag at `start` exceeds, or `nil`. Tags without an end are left to the parser, which
    /// reports them.
    mutating func fault(inTagAt start: Int, of document: [UInt8]) -> String? {
        document.withUnsafeBytes { document in
            let bytes = UnsafeRawBufferPointer(rebasing: document[start...])
            let isEnd = bytes.count > 1 && bytes[1] == UInt8(ascii: "/")
            var (index, attributes, nameLength) = (isEnd ? 2 : 1, 0, 0)
            var quote: UInt8?
            while index < bytes.count {
                let byte = bytes[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") {
                    break
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                    nameLength = 0
                } else if byte == UInt8(ascii: "=") || byte <= 0x20 || byte == UInt8(ascii: "/") {
                    if byte == UInt8(ascii: "=") { attributes += 1 }
                    nameLength = 0
                } else {
                    nameLength += 1
                }
                if attributes > limits.maximumAttributes {
                    return "an element has more than \(limits.maximumAttributes) attributes"
                }
                if nameLength > limits.maximumNameBytes {
                    return "a name is longer than \(limits.maximumNameBytes) bytes"
                }
                index += 1
            }
            if isEnd {
                depth -= 1
            } else if bytes[index - 1] != UInt8(ascii: "/") {
                depth += 1
            }
            return depth > limits.maximumDepth ? "elements are nested deeper than \(limits.maximumDepth)" : nil
        }
    }
}
