/// The kinds of the open containers: one bit each, which is set for objects.
struct NestingStack {
    /// The innermost 1 to 64 containers, the innermost lowest.
    private var bits: UInt64 = 0
    /// The outer containers, 64 in each element.
    private var outer: [UInt64] = []
    private(set) var depth = 0

    /// Whether the innermost container is an object.
    var isInObject: Bool {
        @inline(__always) get { bits & 1 == 1 }
    }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if depth & 63 == 0, depth > 0 {
            outer.append(bits)
            bits = 0
        }
        bits = bits &<< 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    /// Leaves the innermost container. There must be one.
    @inline(__always)
    mutating func pop() {
        bits &>>= 1
        depth &-= 1
        if depth & 63 == 0, let last = outer.popLast() { bits = last }
    }
}
