/// Finds the elements of an array that were moved.
enum ArrayMoves {
    struct Move {
        let object: any ModelObject
        let from: Int
        let to: Int
    }

    /// Returns the minimal moves that bring the elements of both arrays into their new order, in that order.
    ///
    /// The elements that stay are a longest increasing subsequence of the old positions, found in O(n log n) steps.
    static func moves(in difference: ModelDifference) -> [Move] {
        if difference.removed.isEmpty || difference.added.isEmpty { return [] }
        var old: [ObjectIdentifier: Int] = [:]
        for (offset, object) in difference.removed.enumerated() where old[ObjectIdentifier(object)] == nil {
            old[ObjectIdentifier(object)] = offset
        }
        var kept: [(object: any ModelObject, from: Int, to: Int)] = []
        for (offset, object) in difference.added.enumerated() {
            if let from = old.removeValue(forKey: ObjectIdentifier(object)) { kept.append((object, from, offset)) }
        }
        let staying = longestIncreasing(kept.map(\.from))
        return kept.indices.filter { !staying[$0] }.map {
            Move(object: kept[$0].object, from: kept[$0].from + difference.start, to: kept[$0].to + difference.start)
        }
    }

    /// Returns which of the distinct numbers belong to a longest increasing subsequence.
    private static func longestIncreasing(_ numbers: [Int]) -> [Bool] {
        // For each length, the index of the smallest last number of an increasing subsequence.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isIn = Array(repeating: false, count: numbers.count)
        var index = ends.last ?? -1
        while index >= 0 {
            isIn[index] = true
            index = previous[index]
        }
        return isIn
    }
}
