/// A step on the way to a value.
enum PathKey: CodingKey, Hashable {
    case name(String)
    case index(Int)

    init?(stringValue: String) { self = .name(stringValue) }
    init?(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        guard case .index(let index) = self else { return nil }
        return index
    }
}

/// Where the last steps through arrays and objects ended: the next path goes on from there, so that the paths of all
/// elements of a long array cost one walk along it.
struct PathSteps {
    struct Step {
        var container: Int
        var child: Int
        var ordinal: Int
    }

    private var steps: [Step] = []

    /// A child of `container` at or before `index` with its number, to walk on from.
    func start(in container: Int, before index: Int) -> Step {
        if let step = steps.last(where: { $0.container == container && $0.child <= index }) { return step }
        return Step(container: container, child: container + 1, ordinal: 0)
    }

    mutating func remember(_ step: Step) {
        steps.removeAll { $0.container == step.container }
        if steps.count == 16 { steps.removeFirst() }
        steps.append(step)
    }
}

extension JSONDocument {
    /// The way to the value at `index`. Nothing is kept for it while decoding goes well: the tape is walked down again.
    func path(to index: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < index {
            let isObject = word(container).kind == .object
            var step = steps.start(in: container, before: index)
            var value = isObject ? step.child + 1 : step.child
            while next(value) <= index {
                step.child = next(value)
                step.ordinal += 1
                value = isObject ? step.child + 1 : step.child
            }
            steps.remember(step)
            path.append(isObject ? key(string(word(step.child)), at: path) : PathKey.index(step.ordinal))
            container = value
        }
        return path
    }

    /// A member's name as the key strategy has it.
    func key(_ name: String, at path: [any CodingKey]) -> any CodingKey {
        options.keys.convert(name, at: path) ?? PathKey.name(name)
    }
}
