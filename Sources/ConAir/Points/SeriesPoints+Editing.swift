extension SeriesPoints {
    /// Appends points in order, all later than the last one.
    mutating func append(contentsOf points: ArraySlice<SeriesPoint>) {
        var rest = points
        while !rest.isEmpty {
            if columns.last.map({ $0.times.count >= Self.columnLimit }) ?? true { columns.append(Column()) }
            let last = columns.count - 1
            let part = rest.prefix(Self.columnLimit - columns[last].times.count)
            columns[last].append(part)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// Inserts a point, or replaces the value at its time.
    package mutating func set(_ point: SeriesPoint) {
        guard let last, point.time <= last.time else { return append(contentsOf: [point]) }
        var index = index(atOrAfter: point.time)
        if self[index].time == point.time {
            columns[index.column].values[index.row] = point.value
            return
        }
        if columns[index.column].times.count >= Self.columnLimit { index = split(at: index) }
        columns[index.column].insert(point, at: index.row)
        count += 1
    }

    /// Splits a full column into two.
    ///
    /// - Returns: The new position of the point at `index`.
    private mutating func split(at index: Index) -> Index {
        let column = columns[index.column]
        let half = column.times.count / 2
        columns[index.column] = column.rows(0..<half)
        columns.insert(column.rows(half..<column.times.count), at: index.column + 1)
        return index.row < half ? index : Index(column: index.column + 1, row: index.row - half)
    }

    /// Removes the first points.
    mutating func removeFirst(_ removed: Int) {
        var left = Swift.min(removed, count)
        count -= left
        var whole = 0
        while left > 0, columns[whole].times.count <= left {
            left -= columns[whole].times.count
            whole += 1
        }
        columns.removeFirst(whole)
        if left > 0 { columns[0] = columns[0].rows(left..<columns[0].times.count) }
    }
}

extension SeriesPoints.Column {
    mutating func append(_ points: ArraySlice<SeriesPoint>) {
        let needed = times.count + points.count
        // Capacity is doubled up to the limit. The array's own growth would leave up to half of the memory unused.
        if needed > capacity { reserve(max(needed, capacity * 2, 16)) }
        for point in points {
            times.append(point.time.microseconds)
            values.append(point.value)
        }
    }

    /// Inserts a row into a column that is not full.
    mutating func insert(_ point: SeriesPoint, at row: Int) {
        // Late points are few: the halves of a split column would never use twice their memory.
        if times.count >= capacity { reserve(times.count + max(16, times.count / 8)) }
        times.insert(point.time.microseconds, at: row)
        values.insert(point.value, at: row)
    }

    /// The number of rows that fit without more memory. The allocator may round the size of each array differently.
    private var capacity: Int { min(times.capacity, values.capacity) }

    private mutating func reserve(_ count: Int) {
        let capacity = min(SeriesPoints.columnLimit, count)
        times.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
    }
}
