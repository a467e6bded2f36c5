/// The state of one encoding: the text, and the functions that write values into it.
///
/// If an encoder or container is kept after the end of its value, its node no longer exists.
final class EncodingSession {
    let options: EncodingOptions
    /// The text, behind a pointer because each access to a class's own variables is checked.
    let text: UnsafeMutablePointer<TextAssembly>
    let traits: TypeTraitTable<EncodingTrait>
    let escapesSlashes: Bool
    let convertsKeys: Bool

    /// The first error that could not be thrown where it occurred.
    private(set) var failure: (any Error)?

    /// The original keys, by the offset of the name that a strategy made from them.
    var originalKeys: [Int: any CodingKey] = [:]
    /// The names that were converted to snake case.
    var convertedNames: [ByteText: String] = [:]

    /// The maximum depth of arrays and objects, the same as the default of ``HeliumJSONDecoder``.
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

    /// Returns whether a container is empty.
    func isEmpty(_ node: NodeReference) -> Bool { text.pointee.node(node)?.pointee.count == 0 }

    /// Records an error, which is thrown at the end.
    func fail(_ error: any Error) { failure = failure ?? error }

    /// Returns the text, which the caller must free.
    func finish<Value>(_ root: NodeReference, value: Value) throws -> TextBuffer {
        if let failure { throw failure }
        guard let node = text.pointee.node(root), node.pointee.kind != .fresh else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "the top-level \(Value.self) encodes nothing")
            )
        }
        text.pointee.closeAll()
        text.pointee.end(root, names: 0, segment: 0)
        let result = text.pointee.takeText()
        let layout = TextLayout(formatting: options.formatting, mergesNames: text.pointee.hasRepeatedNames)
        guard let layout else { return result }
        defer { result.deallocate() }
        return try layout.text(of: result, value: value)
    }
}
