extension JSONDocument {
    /// Throws for the first member whose name occurs earlier in its object.
    func refuseDuplicates() throws(SyntaxFault) {
        for index in 0..<wordCount where word(index).kind == .object {
            var names: Set<[UInt8]> = []
            var member = index + 1
            while member < next(index) {
                // Compares bytes, independent of what a reader treats as equal (RFC 8259 §8.3).
                guard names.insert(Array(string(word(member)).utf8)).inserted else {
                    throw SyntaxFault(.duplicateMember, at: word(member).offset - 1)
                }
                member = next(member + 1)
            }
        }
    }
}
