internal import HeliumServerKit

/// The words of a query, numbered, with what is needed to find its phrases in one pass over a text.
struct SearchVocabulary: Hashable, Sendable {
    /// Words are no longer than ``SearchDocument/maximumWordLength``, so that hashing one costs little.
    private var numbers: [String: Int] = [:]
    /// Words that follow each other, as numbers.
    private var phrases: [[String]: SequencePattern<Int>] = [:]
    /// The words of all phrases together.
    private(set) var wordCount = 0

    mutating func insert(_ words: [String]) {
        wordCount += words.count
        // Beyond the ceiling the query is refused.
        guard wordCount <= SearchQuery.maximumWords else { return }
        for word in words where numbers[word] == nil { numbers[word] = numbers.count }
        phrases[words] = SequencePattern(words.compactMap { numbers[$0] })
    }

    /// The numbers of a text's words; -1 for those that no phrase has.
    func numbers(of words: [String]) -> [Int] {
        numbers.isEmpty ? [] : words.map { numbers[$0] ?? -1 }
    }

    /// The number of occurrences of a phrase in a text, whose ``numbers(of:)`` are given.
    func occurrences(of words: [String], in text: [Int]) -> Int {
        phrases[words]?.occurrences(in: text) ?? 0
    }
}
