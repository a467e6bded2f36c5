/// A parser, or a route, whose cost must grow no faster than its input.
///
/// `make cost` measures it with inputs of n, 2n and 4n bytes: see Tests/Support/CostSupport.
package struct CostCase: Sendable {
    /// The name on the command line.
    package let name: String

    /// The inputs.
    package let patterns: [CostPattern]

    /// Takes an input. It catches what the input makes it throw: errors are part of the cost.
    package let work: @Sendable ([UInt8]) async -> Void

    /// A case.
    ///
    /// - Parameters:
    ///   - name: Its name, unique among all cases.
    ///   - slots: The texts around what is repeated, with `‹›` in its place. Each ``CostPattern/parts`` is repeated in
    ///     each of them.
    ///   - repeated: More to repeat: each one with the text around it, as `[‹{"id":"¤"},›]`. `¤` is replaced by the number
    ///     of the repetition, so that ids differ.
    ///   - quickCount: How many of `repeated`, from the first, `make test` measures too. Default: all.
    ///   - work: Takes an input.
    package init(
        _ name: String,
        slots: [String],
        repeated: [String] = [],
        quickCount: Int = .max,
        work: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.name = name
        let ofSlots = slots.flatMap { slot in
            CostPattern.parts.map {
                CostPattern(slot.replacing("‹›", with: "‹\($0)›"), isQuick: $0 == CostPattern.marks)
            }
        }
        patterns = ofSlots + repeated.enumerated().map { CostPattern($1, isQuick: $0 < quickCount) }
        self.work = { input in try? await work(input) }
    }
}

/// An input that can be made of any length, of fixed texts and repeated parts.
package struct CostPattern: Sendable, CustomStringConvertible {
    /// Whether `make test` measures it too: marks, and what is repeated with its numbers.
    package let isQuick: Bool

    private let text: String

    private enum Segment {
        case once([UInt8])
        /// The repeated part, as the pieces between the numbers.
        case repeated([[UInt8]])
    }

    /// Combining marks of two classes, which normalization sorts.
    package static let marks = "\u{301}\u{316}"

    /// The parts that are repeated in every slot of every case: marks, letters, digits, regional indicators (whose
    /// pairs are found from the beginning only), brackets, quotes, escapes and separators.
    package static let parts = [
        marks, "ab", "7", "\u{1F1E6}", "[", "{\"a\":", "\\\"", "\"", "\\u0301\\u0316", ", ", "<", "&amp;", "%", "(",
        " \n",
    ]

    /// A pattern from its text, for example `["‹\u{301}\u{316}›"]`.
    package init(_ text: String, isQuick: Bool = false) {
        self.isQuick = isQuick
        self.text = text
    }

    /// The text, with each repeated part between `‹` and `›`. All else that is not ASCII is escaped.
    package var description: String {
        text.unicodeScalars.map {
            "‹›¤".unicodeScalars.contains($0) ? "\($0)" : $0.escaped(asASCII: true)
        }.joined()
    }

    private var segments: [Segment] {
        // Scalars: a mark behind one of these signs would make a `Character` with it.
        text.unicodeScalars.split(separator: "‹", omittingEmptySubsequences: false).enumerated()
            .flatMap { index, text in
                guard index > 0 else { return [Segment.once(Self.bytes(text))] }
                let parts = text.split(separator: "›", maxSplits: 1, omittingEmptySubsequences: false)
                let pieces = parts[0].split(separator: "¤", omittingEmptySubsequences: false)
                return [.repeated(pieces.map(Self.bytes)), .once(parts.count > 1 ? Self.bytes(parts[1]) : [])]
            }
    }

    private static func bytes(_ text: Substring.UnicodeScalarView) -> [UInt8] { Array(String(text).utf8) }

    /// An input of that many bytes, or somewhat more. Each repeated part takes the same share.
    package func input(bytes count: Int) -> [UInt8] {
        let segments = segments
        var (input, fixed, places) = ([] as [UInt8], 0, 0)
        for segment in segments {
            switch segment {
            case .once(let bytes): fixed += bytes.count
            case .repeated: places += 1
            }
        }
        input.reserveCapacity(count + 64)
        for segment in segments {
            switch segment {
            case .once(let bytes): input += bytes
            case .repeated(let pieces):
                let end = input.count + (count - fixed) / places
                let isEmpty = pieces.allSatisfy(\.isEmpty)
                var number = 0
                repeat {
                    for (index, piece) in pieces.enumerated() {
                        // All of one length, so that twice the length has twice the parts.
                        if index > 0 { input += String(1_000_000 + number).utf8 }
                        input += piece
                    }
                    number += 1
                } while input.count < end && !isEmpty
            }
        }
        return input
    }
}
