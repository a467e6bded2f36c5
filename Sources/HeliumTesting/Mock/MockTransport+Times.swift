extension MockTransport {
    /// How many requests a route must and may have.
    public struct Times: Hashable, Sendable {
        let minimum: Int
        let maximum: Int

        /// Any number, none too.
        public static let any = Self(minimum: 0, maximum: .max)

        /// One or more.
        public static let atLeastOnce = atLeast(1)

        /// This many; the next request goes to the next route that fits.
        public static func exactly(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: max(0, count)) }

        /// This many or more.
        public static func atLeast(_ count: Int) -> Self { Self(minimum: max(0, count), maximum: .max) }

        /// This many or fewer; the next request goes to the next route that fits.
        public static func atMost(_ count: Int) -> Self { Self(minimum: 0, maximum: max(0, count)) }
    }
}
