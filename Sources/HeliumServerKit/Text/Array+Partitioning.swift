extension Array {
    /// Returns the index of the first element for which `isBehind` returns `true`; the count if there is none. Uses
    /// binary search: all elements for which it returns `true` must follow the others.
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
