import CReferenceCurl
import Foundation

@testable import TestSupport

/// Gives the same responses to our reader, to libcurl and to Node, and compares what they make of them.
struct ResponsesPart {
    let options: Options

    private static let batch = 20_000

    /// Our reading, and the number of bytes that it took.
    private struct OurReading {
        let reading: Reading
        private(set) var taken = 0

        init(_ sample: SampleResponse, cuts: [Int]) { reading = .ours(sample, cuts: cuts, taken: &taken) }

        func alone(_ sample: SampleResponse) -> SampleResponse {
            SampleResponse(isHead: sample.isHead, bytes: Array(sample.bytes.prefix(taken)))
        }
    }

    /// A kind of difference, and an example of it.
    private struct Found {
        var count = 0
        var example = ""
    }

    func run() throws -> Bool {
        let peers = "libcurl \(String(cString: reference_version())), Node"
        say("responses: \(options.count) with seed \(options.seed), against \(peers)")
        var grammar = ResponseGrammar(seed: options.seed)
        var random = SeededRandom(seed: options.seed ^ 0xC07)
        var known: [String: Found] = [:]
        var unknown: [String: Found] = [:]
        var complete = 0
        var same = 0
        var done = 0
        while done < options.count {
            let samples = (0..<min(Self.batch, options.count - done)).map { _ in grammar.next() }
            let ours = samples.map { sample in
                let cuts = (0..<random.below(5)).map { _ in random.below(sample.bytes.count + 1) }.sorted()
                return OurReading(sample, cuts: cuts)
            }
            let curl = samples.map { Reading.curl($0) }
            let node = try NodeReader.read(samples, script: options.peers + "/read.mjs")
            // What a peer makes of the response alone, where it rejects what follows it.
            let cut = samples.indices.filter {
                ours[$0].taken < samples[$0].bytes.count && !agree(ours[$0].reading, node[$0])
            }
            let alone = try NodeReader.read(
                cut.map { ours[$0].alone(samples[$0]) },
                script: options.peers + "/read.mjs"
            )
            let nodeAlone = Dictionary(uniqueKeysWithValues: zip(cut, alone))
            for (index, sample) in samples.enumerated() {
                let our = ours[index]
                if our.reading.isComplete { complete += 1 }
                note(
                    our,
                    OurReading(sample, cuts: Array(sample.bytes.indices)).reading,
                    nil,
                    .ours,
                    sample,
                    &known,
                    &unknown
                )
                let isCut = our.taken < sample.bytes.count && !agree(our.reading, curl[index])
                note(our, curl[index], isCut ? .curl(our.alone(sample)) : nil, .curl, sample, &known, &unknown)
                note(our, node[index], nodeAlone[index], .node, sample, &known, &unknown)
                if agree(our.reading, curl[index]), agree(our.reading, node[index]) { same += 1 }
            }
            done += samples.count
        }
        say("responses: \(done): \(complete) complete for us, \(same) the same for all three")
        for (name, found) in known.sorted(by: { $0.value.count > $1.value.count }) {
            say("responses: known: \(found.count) × \(name)")
        }
        for (name, found) in unknown.sorted(by: { $0.value.count > $1.value.count }) {
            say("responses: FINDING: \(found.count) × \(name)\n    \(found.example)")
        }
        let unused = Difference.table.map(\.title).filter { known[$0] == nil }
        if !unused.isEmpty { say("responses: no example of: \(unused.joined(separator: " | "))") }
        say("responses: \(unknown.isEmpty ? "passed" : "FAILED"), seed \(options.seed)")
        return unknown.isEmpty
    }

    /// Whether two readers accept the same response, or neither accepts one.
    private func agree(_ a: Reading, _ b: Reading) -> Bool { a == b || !a.isComplete && !b.isComplete }

    private func note(
        _ our: OurReading,
        _ theirs: Reading,
        _ alone: Reading?,
        _ peer: Peer,
        _ sample: SampleResponse,
        _ known: inout [String: Found],
        _ unknown: inout [String: Found]
    ) {
        guard !agree(our.reading, theirs) else { return }
        let disagreement = Disagreement(
            sample: sample,
            ours: our.reading,
            taken: our.taken,
            theirs: theirs,
            alone: alone,
            peer: peer
        )
        // Where the bytes are cut makes no difference.
        if peer != .ours, let difference = Difference.table.first(where: { $0.explains(disagreement) }) {
            known[difference.title, default: Found()].count += 1
            return
        }
        var found = unknown[disagreement.kind] ?? Found()
        found.count += 1
        // The shortest example says most.
        let example = disagreement.description
        if found.example.isEmpty || example.count < found.example.count { found.example = example }
        unknown[disagreement.kind] = found
    }
}
