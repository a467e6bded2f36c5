extension MockTransport {
    /// The number of requests that a route must receive, and the number that it may receive.
    public struct Times: Hashable, Sendable {
        let minimum: Int
        let maximum: Int

        /// Any number, including zero.
        public static let any = Self(minimum: 0, maximum: .max)

        /// One or more.
        public static let atLeastOnce = atLeast(1)

        /// Exactly this many. Further requests go to the next matching route.
        public static func exactly(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: max(0, count)) }

        /// At least this many.
        public static func atLeast(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: .max) }

        /// At most this many. Further requests go to the next matching route.
        public static func atMost(_ count: Int) -> Self { Self(minimum: 0, maximum: max(0, count)) }
    }
}
