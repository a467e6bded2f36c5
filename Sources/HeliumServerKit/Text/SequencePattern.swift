/// A pattern that is searched for in longer sequences with the Knuth-Morris-Pratt algorithm. The time is proportional
/// to the length of the sequence, whatever the pattern is.
package struct SequencePattern<Element: Hashable & Sendable>: Hashable, Sendable {
    package let elements: [Element]
    /// For each index, the length of the longest proper prefix of the pattern that is also a suffix of the pattern up
    /// to that index.
    private let borders: [Int]

    package init(_ elements: [Element]) {
        self.elements = elements
        var borders = [Int](repeating: 0, count: elements.count)
        var length = 0
        for index in elements.indices.dropFirst() {
            while length > 0, elements[index] != elements[length] { length = borders[length - 1] }
            if elements[index] == elements[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// Returns the number of occurrences of the pattern in `sequence`, including overlapping ones; 0 for an empty
    /// pattern.
    ///
    /// - Parameter maximum: The number at which counting stops.
    package func occurrences(in sequence: [Element], upTo maximum: Int = .max) -> Int {
        guard !elements.isEmpty else { return 0 }
        var (count, length) = (0, 0)
        for element in sequence {
            while length > 0, elements[length] != element { length = borders[length - 1] }
            if elements[length] == element { length += 1 }
            if length == elements.count {
                count += 1
                if count == maximum { break }
                length = borders[length - 1]
            }
        }
        return count
    }
}
