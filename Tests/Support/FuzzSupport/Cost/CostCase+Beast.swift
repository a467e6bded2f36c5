import MessageBeast

// The input of searches and imports of MessageBeast.
extension CostCase {
    static let beast: [CostCase] = [
        CostCase(
            "beast-search",
            slots: ["‹›", "tea ‹›", "\"‹›\""],
            repeated: ["‹日›", "‹日a›", "‹a ›", "‹w¤ ›", "‹日本¤ ›", "‹ｶﾞ›", "‹\"›", "‹a*›"]
        ) { _ = SearchText(String(decoding: $0, as: UTF8.self)) },
        CostCase(
            "beast-import",
            slots: [],
            repeated: [
                head + "‹\n›", head + #"{"channel":{‹"n¤":1,›"id":"1"}}"#,
                head + #"‹{"channel":{"id":"¤","kind":"private","type":"a.b","json":{"id":"¤"}}}\#n›"#,
            ],
            // Each one writes and checks a database, which takes seconds under Valgrind.
            quickCount: 0
        ) { try await BeastFuzz.importing($0) },
    ]

    private static let head = #"{"messagebeast":{"version":1,"account":"1","last_local_id":9}}\#n"#
}
