import MessageBeast

// The input of searches of MessageBeast.
extension CostCase {
    static let beast: [CostCase] = [
        CostCase(
            "beast-search",
            slots: ["‹›", "tea ‹›", "\"‹›\""],
            repeated: ["‹日›", "‹日a›", "‹a ›", "‹w¤ ›", "‹日本¤ ›", "‹ｶﾞ›", "‹\"›", "‹a*›"]
        ) { _ = SearchText(String(decoding: $0, as: UTF8.self)) }
    ]
}
