extension Array {
    /// The index of the first element of which `isBehind` is true, by bisection; the count if there is none. The elements
    /// of which it is true come behind all others.
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
