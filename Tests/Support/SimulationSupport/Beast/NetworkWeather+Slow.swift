extension NetworkWeather {
    /// Every third request arrives late, twice, or without a response. It stays unknown whether many of the messages
    /// arrived.
    static let slow = Self([(.late, 120), (.doubled, 120), (.responseLost, 80), (.notSent, 20)], jumps: 10)
}
