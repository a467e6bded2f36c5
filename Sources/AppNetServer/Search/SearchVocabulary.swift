internal import HeliumServerKit

/// The numbered words of a query, and the patterns to find its phrases in one pass over a text.
struct SearchVocabulary: Hashable, Sendable {
    /// The numbers of the words. Words are no longer than ``SearchDocument/maximumWordLength``, so that hashing is
    /// fast.
    private var numbers: [String: Int] = [:]
    /// The phrases as patterns of word numbers.
    private var phrases: [[String]: SequencePattern<Int>] = [:]
    /// The number of words in all phrases together.
    private(set) var wordCount = 0

    mutating func insert(_ words: [String]) {
        wordCount += words.count
        // A query with more words is rejected later.
        guard wordCount <= SearchQuery.maximumWords else { return }
        for word in words where numbers[word] == nil { numbers[word] = numbers.count }
        phrases[words] = SequencePattern(words.compactMap { numbers[$0] })
    }

    /// Returns the numbers of a text's words; -1 for words that are not in a phrase.
    func numbers(of words: [String]) -> [Int] {
        numbers.isEmpty ? [] : words.map { numbers[$0] ?? -1 }
    }

    /// Returns the number of occurrences of a phrase in a text. `text` is the result of ``numbers(of:)``.
    func occurrences(of words: [String], in text: [Int]) -> Int {
        phrases[words]?.occurrences(in: text) ?? 0
    }
}
