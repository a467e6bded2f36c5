import SimulationSupport

extension NetworkWeather {
    /// Every third request comes late, twice, or without a response: nobody knows of many messages whether they arrived.
    static let slow = Self([(.late, 120), (.doubled, 120), (.responseLost, 80), (.notSent, 20)], jumps: 10)
}
