extension CostCase {
    /// All cases of the parsers.
    package static let all: [CostCase] = values + headers + bodies + systems + beast + jetstream

    /// A case whose cost grows with the square of the length: shows that the measuring finds it.
    package static let square = CostCase("square", slots: ["‹›"]) { _ = String(decoding: $0, as: UTF8.self).hashValue }
}
