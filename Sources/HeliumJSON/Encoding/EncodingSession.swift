/// One encoding: the text, and how values come into it.
///
/// Encoders and containers that somebody keeps for longer than the value they were made for find their node gone.
final class EncodingSession {
    let options: EncodingOptions
    /// Behind a pointer, as access to a class's own variables is checked each time.
    let text: UnsafeMutablePointer<TextAssembly>
    let traits: TypeTraitTable<EncodingTrait>
    let escapesSlashes: Bool
    let convertsKeys: Bool

    /// What went wrong where nothing could be thrown.
    private(set) var failure: (any Error)?

    /// Keys by the offset of the name that a strategy made of them.
    var originalKeys: [Int: any CodingKey] = [:]
    /// Names in snake case.
    var convertedNames: [ByteText: String] = [:]

    /// Arrays and objects, as many as ``HeliumJSONDecoder`` reads by default.
    static let maximumDepth = 512
    static let maximumNesting = 2048

    init(options: EncodingOptions) {
        self.options = options
        text = .allocate(capacity: 1)
        text.initialize(to: TextAssembly())
        traits = options.traits
        escapesSlashes = !options.formatting.contains(.withoutEscapingSlashes)
        convertsKeys = !options.keys.isDefault
    }

    deinit {
        text.pointee.deallocate()
        text.deinitialize(count: 1)
        text.deallocate()
    }

    /// Whether a container has nothing yet.
    func isEmpty(_ node: NodeReference) -> Bool { text.pointee.node(node)?.pointee.count == 0 }

    /// Remembers an error for the end.
    func fail(_ error: any Error) { failure = failure ?? error }

    /// The text, which the caller frees.
    func finish<Value>(_ root: NodeReference, value: Value) throws -> TextBuffer {
        if let failure { throw failure }
        guard let node = text.pointee.node(root), node.pointee.kind != .fresh else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "the top-level \(Value.self) encodes nothing")
            )
        }
        text.pointee.closeAll()
        text.pointee.end(root, names: 0)
        let result = text.pointee.takeText()
        let layout = TextLayout(formatting: options.formatting, mergesNames: text.pointee.hasRepeatedNames)
        guard let layout else { return result }
        defer { result.deallocate() }
        return try layout.text(of: result, value: value)
    }
}
