package import HeliumEssentials

/// The elements of a list that are nested too deep for a decoder. One such element makes the whole document invalid.
package enum DeepElements {
    /// Returns a document in which each element of a list that is nested too deep is replaced.
    ///
    /// The document is parsed once more, without recursion, and its elements are read once. The tape takes up to eight
    /// times the memory of the document, as for any other document.
    ///
    /// - Parameters:
    ///   - document: A document that was refused.
    ///   - paths: The paths of names at which the list may be, an empty path for the document itself. The first one that
    ///     leads to an array is used.
    ///   - maximumDepth: The maximum nesting depth in the document.
    ///   - replacement: Returns the value that takes the place of an element. It is not part of the check.
    /// - Returns: `nil` if the document has no such element, or is not valid JSON for another reason.
    package static func replaced(
        in document: Data,
        at paths: [[String]],
        maximumDepth: Int,
        by replacement: (JSONReader) -> JSONValue
    ) -> Data? {
        var options = DecodingOptions()
        options.limits.maximumDepth = .max
        return document.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                try? JSONDocument.decode(bytes, options: options) { document in
                    for path in paths {
                        guard let list = try? document.index(at: path), document.word(list).kind == .array else {
                            continue
                        }
                        // The list is one level below the last object of the path, and its elements another one.
                        return document.replacingElements(
                            of: list,
                            deeperThan: max(maximumDepth, 0) - path.count - 1,
                            by: replacement
                        )
                    }
                    return nil
                }
            }
        }
    }
}

extension JSONDocument {
    fileprivate func replacingElements(
        of list: Int,
        deeperThan limit: Int,
        by replacement: (JSONReader) -> JSONValue
    ) -> Data? {
        var out = Data()
        var copied = 0
        var element = list + 1
        let end = next(list)
        while element < end {
            let word = word(element)
            if word.isContainer {
                let (depth, after) = nesting(at: word.offset)
                if depth > limit {
                    out.append(contentsOf: bytes[copied..<word.offset])
                    out.append(replacement(JSONReader(document: self, index: element)).data())
                    copied = after
                }
            }
            element = next(element)
        }
        guard copied > 0 else { return nil }
        out.append(contentsOf: bytes[copied...])
        return out
    }

    /// Returns the nesting depth of the array or object that begins at an offset, and the offset after it.
    private func nesting(at start: Int) -> (depth: Int, end: Int) {
        var (open, deepest) = (0, 0)
        var isString = false
        var position = start
        // The document was parsed, so each string and container ends in it.
        while position < byteCount {
            let byte = base[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): isString.toggle()
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if !isString {
                    open += 1
                    deepest = max(deepest, open)
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if !isString { open -= 1 }
                if open == 0 { return (deepest, position) }
            default: break
            }
        }
        return (deepest, byteCount)
    }
}
