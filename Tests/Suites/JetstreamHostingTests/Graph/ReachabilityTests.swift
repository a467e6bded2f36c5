import Foundation
import HeliumJSON
import TestSupport
import Testing

@testable import JetstreamHosting

@Suite("Membership in a hosted scope")
struct ReachabilityTests {
    /// Objects with any number of references, as a model of the graph that is simple enough to be right.
    private struct Model {
        var references: [Int: [Int]] = [0: []]

        mutating func settle() {
            var reached: Set<Int> = [0]
            var stack = [0]
            while let object = stack.popLast() {
                for child in references[object] ?? [] where reached.insert(child).inserted { stack.append(child) }
            }
            references = references.filter { reached.contains($0.key) }
        }
    }

    @Test(
        "Random edits leave the objects that a search from the root finds, rolled back or not",
        .tags(.random),
        arguments: ProofLength.seeds(6)
    )
    func randomEdits(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var graph = ObjectGraph()
        var model = Model()
        let object = { (number: Int) in ObjectID(high: 0, low: UInt64(number)) }
        _ = graph.create(object(0), classIndex: 0, values: [.references([])])
        _ = graph.settle()
        graph.closeJournal()
        var last = 0
        for _ in 0..<150 {
            let before = model
            for _ in 0...random.below(5) {
                let known = model.references.keys.sorted()
                let owner = random.pick(known)
                var children = model.references[owner] ?? []
                switch random.below(4) {
                case 0, 1:
                    last += 1
                    _ = graph.create(object(last), classIndex: 0, values: [.references([])])
                    model.references[last] = []
                    children.append(last)
                case 2: children.append(random.pick(known))
                default: if !children.isEmpty { children.remove(at: random.below(children.count)) }
                }
                model.references[owner] = children
                guard let handle = graph.handle(of: object(owner)) else {
                    Issue.record("object \(owner) is missing")
                    return
                }
                graph.set(handle, slot: 0, to: .references(children.compactMap { graph.handle(of: object($0)) }))
            }
            if random.oneIn(4) {
                graph.rollBack()
                model = before
            }
            _ = graph.settle()
            graph.closeJournal()
            model.settle()
            #expect(Set(graph.handles.keys.map { Int($0.low) }) == Set(model.references.keys))
            for (number, children) in model.references {
                let handle = graph.handle(of: object(number)) ?? -1
                guard handle >= 0, case .references(let handles) = graph[handle].values[0] else {
                    Issue.record("object \(number) is missing")
                    return
                }
                #expect(handles.map { Int(graph[$0].id.low) } == children)
            }
            #expect(graph.byteCount == model.references.values.reduce(0) { $0 + $1.count * 8 })
        }
    }

    @Test("Identifiers are parsed from text and printed")
    func identifiers() {
        #expect(ObjectID("01234567-89ab-CDEF-0123-456789abcdef")?.text == "01234567-89ab-cdef-0123-456789abcdef")
        for text in [
            "", "01234567-89ab-cdef-0123-456789abcde", "0123456789ab-cdef-0123-456789abcdef-",
            "01234567-89ab-cdef-0123-456789abcdeg", "01234567-89ab-cdef-0123-456789abcdeéf",
        ] {
            #expect(ObjectID(text) == nil)
        }
        let uuid = ObjectID("01234567-89ab-cdef-0123-456789abcdef")?.uuid
        #expect(uuid?.uuidString == "01234567-89AB-CDEF-0123-456789ABCDEF")
        #expect(uuid.map { ObjectID($0).text } == "01234567-89ab-cdef-0123-456789abcdef")
        let random = ObjectID(random: .seeded(5)).text
        #expect(random.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }

    @Test("Timers fire by time, and equal ones in the order in which they were set")
    func timers() {
        var random = SeededRandom(seed: 3)
        var queue = TimerQueue<Int>()
        var expected: [(time: Int, item: Int)] = []
        for item in 0..<500 {
            let time = random.below(50)
            queue.insert(item, at: .seconds(time))
            expected.append((time, item))
        }
        expected.sort { ($0.time, $0.item) < ($1.time, $1.item) }
        var found: [Int] = []
        for second in 0..<50 {
            while let item = queue.popDue(at: .seconds(second)) { found.append(item) }
        }
        #expect(found == expected.map(\.item))
        #expect(queue.next == nil)
    }
}
