import Testing

extension Tag {
    /// A test that measures time, or takes all processors: no other test runs beside it.
    @Tag static var alone: Self
    /// A test with random inputs, which `make prove` runs at full length.
    @Tag static var random: Self
}
