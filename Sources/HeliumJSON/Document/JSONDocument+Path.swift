/// A step of the path to a value.
enum PathKey: CodingKey {
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
        switch self {
        // As in Foundation's decoder, the name of a dictionary's member may be a number.
        case .name(let name): Int(name)
        case .index(let index): index
        }
    }
}

extension JSONDocument {
    /// Returns the path to the value at `index`. It is found by walking down the tape, so that successful decoding
    /// stores nothing for it.
    func path(to index: Int) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var container = 0
        while container < index {
            let (child, ordinal) = child(of: container, around: index)
            if word(container).kind == .array {
                path.append(PathKey.index(ordinal))
                container = child
            } else {
                let name = string(word(child))
                path.append(dictionaries.contains(container) ? PathKey.name(name) : key(name, at: path))
                container = child + 1
            }
        }
        return path
    }

    /// Returns the child that is or contains the value at `index`: its index on the tape, for a member that of its
    /// name, and its number.
    private func child(of container: Int, around index: Int) -> (child: Int, ordinal: Int) {
        let toValue = word(container).kind == .object ? 1 : 0
        var (child, ordinal) = (container + 1, 0)
        let marks = pathMarks[container]
        if let marks {
            var (low, high) = (0, marks.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if marks[middle] <= index { low = middle } else { high = middle }
            }
            (child, ordinal) = (marks[low], low * Self.markSpacing)
        }
        while next(child + toValue) <= index {
            child = next(child + toValue)
            ordinal += 1
            if ordinal == Self.markSpacing, marks == nil {
                markChildren(of: container, toValue: toValue)
                return self.child(of: container, around: index)
            }
        }
        return (child, ordinal)
    }

    private static let markSpacing = 64

    /// Stores the index of every 64th child, so that the paths of all children cost little more than one walk.
    private func markChildren(of container: Int, toValue: Int) {
        var marks: [Int] = []
        var (child, ordinal) = (container + 1, 0)
        while child < next(container) {
            if ordinal % Self.markSpacing == 0 { marks.append(child) }
            child = next(child + toValue)
            ordinal += 1
        }
        pathMarks[container] = marks
    }

    /// Returns a member's name as converted by the key strategy.
    func key(_ name: String, at path: [any CodingKey]) -> any CodingKey {
        options.keys.convert(name, at: path) ?? PathKey.name(name)
    }

    /// Returns the number of elements of an array. It is stored for a long array, because loops request it in each
    /// iteration.
    func rememberedCount(of array: Int) -> Int {
        if let known = elementCounts[array] { return known }
        let count = elementCount(of: array)
        if count > Self.markSpacing { elementCounts[array] = count }
        return count
    }
}
