internal import HeliumJSON

/// A path from an object to one of its properties or to a property of an object below it: `author.name`, `list[0].x`,
/// `list.0.x`. Negative indexes count from the end (Docs/Protocols/Jetstream.md §5.6).
struct UpdatePath {
    /// The property that a path leads to.
    struct Target {
        let handle: Int
        let slot: Int
        /// The index of an array element; `nil` for the whole value.
        let index: Int?
    }

    private let steps: [String]
    private static let maximumSteps = 64

    init(_ text: String) throws(InlineFault) {
        var steps: [String] = []
        var step: [UInt8] = []
        var isAfterBracket = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "."), UInt8(ascii: "["):
                if !isAfterBracket { steps.append(String(decoding: step, as: UTF8.self)) }
                isAfterBracket = false
                step = []
            case UInt8(ascii: "]"):
                steps.append(String(decoding: step, as: UTF8.self))
                isAfterBracket = true
                step = []
            default:
                step.append(byte)
            }
            guard steps.count < Self.maximumSteps else {
                throw InlineFault(path: "", reason: "the path has too many steps")
            }
        }
        if !isAfterBracket { steps.append(String(decoding: step, as: UTF8.self)) }
        guard !steps.contains("") else { throw InlineFault(path: "", reason: "the path has an empty step") }
        self.steps = steps
    }

    /// Follows the path from an object.
    func target(from handle: Int, in scope: HostedScope) throws(InlineFault) -> Target {
        var handle = handle
        var rest = steps[...]
        while let name = rest.popFirst() {
            let definition = scope.definition(of: handle)
            guard let slot = definition.slots[name] else {
                throw InlineFault(
                    path: "",
                    reason: "the class \(definition.name) has no property \"\(name.excerpt(64))\""
                )
            }
            let value = scope.graph[handle].values[slot]
            var index: Int?
            if definition.properties[slot].isArray, let step = rest.popFirst() {
                index = try Self.index(step, count: value.count)
            }
            if rest.isEmpty { return Target(handle: handle, slot: slot, index: index) }
            switch (value, index) {
            case (.reference(let next?), _): handle = next
            case (.references(let handles), let index?): handle = handles[index]
            case (.reference(nil), _): throw InlineFault(path: "", reason: "\"\(name.excerpt(64))\" is null")
            default:
                throw InlineFault(
                    path: "",
                    reason: "the path continues after \"\(name.excerpt(64))\", which is not an object"
                )
            }
        }
        throw InlineFault(path: "", reason: "the path is empty")
    }

    private static func index(_ text: String, count: Int) throws(InlineFault) -> Int {
        guard let number = Int(text) else { throw InlineFault(path: "", reason: "an array needs an index") }
        let index = number < 0 ? number &+ count : number
        guard index >= 0, index < count else {
            throw InlineFault(path: "", reason: "the array does not have this element")
        }
        return index
    }
}

extension ObjectGraph.Value {
    /// The number of elements; 0 if the value is not an array.
    fileprivate var count: Int {
        switch self {
        case .references(let handles): handles.count
        case .scalar(.array(let elements)): elements.count
        default: 0
        }
    }
}
