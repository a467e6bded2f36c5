import Jetstream
import Observation
import Synchronization
import Testing

/// Composites and key paths of models that inherit properties.
@Suite("Inherited properties", .timeLimit(.minutes(5)))
struct InheritedPropertyTests {
    private let crate = Crate()
    private let changes = Counter()

    // MARK: Composites

    @Test("a composite is reported when an inherited property changes that it depends on")
    func inheritedDependency() {
        let more = More(extra: 3)
        more.observeChangeImmediately(changes, key: "total") { changes.add() }
        more.int = 5
        #expect(changes.count == 1)
        more.extra = 4
        #expect(changes.count == 2)
        more.double = 1
        #expect(changes.count == 2)
    }

    @Test("the dependency is found by its name in Swift, at any distance")
    func names() {
        let (tall, spread) = (Counter(), Counter())
        crate.observeChangeImmediately(tall, key: "isTall") { tall.add() }
        crate.observeChangeImmediately(spread, key: "spread") { spread.add() }
        crate.height = 4
        #expect([tall, spread].map(\.count) == [1, 1])
        crate.weight = 5
        #expect([tall, spread].map(\.count) == [1, 2])
        crate.depth = 6
        #expect([tall, spread].map(\.count) == [1, 2])
    }

    @Test("a composite of composites is reported once for each change of what they are computed from")
    func composites() {
        for (key, expected) in [("ink", [1, 1, 0, 0]), ("density", [1, 1, 1, 1])] {
            let counters = (0..<4).map { _ in Counter() }
            let crate = Crate()
            let sets: [() -> Void] = [
                { crate.width = 2 }, { crate.height = 3 }, { crate.depth = 4 }, { crate.weight = 5 },
            ]
            for (counter, set) in zip(counters, sets) {
                let observation = crate.observeChangeImmediately(nil, key: key) { counter.add() }
                set()
                observation.cancel()
            }
            #expect(counters.map(\.count) == expected, "\(key)")
        }
    }

    @Test("a property of a subclass takes the place of a superclass's private property of the same name")
    func sameName() {
        let shadow = Shadow()
        shadow.observeChangeImmediately(changes, key: "doubled") { changes.add() }
        shadow.changeHidden()
        #expect(changes.count == 0)
        shadow.mark = 2
        #expect(changes.count == 1)
    }

    // MARK: Key paths

    @Test("a key path of the subclass finds an inherited composite whose getter reads only a part of its properties")
    func partialReads() {
        // `area` reads `width` alone as long as that is 0. So does `width`, which has the same type.
        #expect(crate.area == 0)
        let (area, width) = (Counter(), Counter())
        crate.observeChangeImmediately(area, \.area) { area.add() }
        crate.observeChangeImmediately(width, \.width) { width.add() }
        crate.height = 2
        #expect([area, width].map(\.count) == [1, 0])
        crate.width = 3
        #expect([area, width].map(\.count) == [2, 1])
        crate.depth = 4
        #expect([area, width].map(\.count) == [2, 1])
    }

    @Test("no change is missed if several inherited composites fit a key path")
    func ambiguous() {
        // `area` and `margin` read `width` alone as long as that is 0.
        let flat = Sheet()
        let (area, margin) = (Counter(), Counter())
        flat.observeChangeImmediately(area, \.area) { area.add() }
        flat.observeChangeImmediately(margin, \.margin) { margin.add() }
        flat.height = 2
        flat.border = 3
        #expect(area.count >= 1 && margin.count >= 1)
        // Where they differ, each has its own changes.
        flat.width = 1
        let (area2, margin2) = (Counter(), Counter())
        flat.observeChangeImmediately(area2, \.area) { area2.add() }
        flat.observeChangeImmediately(margin2, \.margin) { margin2.add() }
        flat.height = 4
        #expect([area2, margin2].map(\.count) == [1, 0])
        flat.border = 5
        #expect([area2, margin2].map(\.count) == [1, 1])
        // The key path of the declaring class is exact at any time.
        flat.width = 0
        let rectangle: Rectangle = flat
        rectangle.observeChangeImmediately(changes, \.area) { changes.add() }
        flat.border = 6
        #expect(changes.count == 0)
    }

    @Test("a composite that reads nothing, or what it does not name, is found")
    func otherReads() {
        let (title, name) = (Counter(), Counter())
        crate.observeChangeImmediately(title, \.title) { title.add() }
        crate.observeChangeImmediately(name, \.fullName) { name.add() }
        crate.isFilled = true
        #expect([title, name].map(\.count) == [1, 1])
        crate.label = "a"
        #expect([title, name].map(\.count) == [1, 1])
    }

    @Test("inherited properties with a private setter, and arrays beside a composite of the same type, are found")
    func privateSetters() {
        let (version, added) = (Counter(), Counter())
        crate.observeChangeImmediately(version, \.version) { version.add() }
        crate.observeCollectionAdd(added, \.parts) { _ in added.add() }
        crate.advance()
        crate.width = 1
        #expect(version.count == 1)
        crate.add(Rectangle())
        #expect(added.count == 1)
    }

    @Test("the names in a sequence are those of inherited properties")
    func sequence() async {
        var names = crate.changes(of: \.width, \.area, \.weight).makeAsyncIterator()
        crate.weight = 2
        crate.height = 3
        #expect(await names.next() == ["area", "weight"])
    }

    @Test("Observation goes on after a key path was found")
    func observation() {
        let changed = Mutex(false)
        withObservationTracking {
            _ = crate.width
        } onChange: {
            changed.withLock { $0 = true }
        }
        crate.observeChangeImmediately(changes, \.area) { changes.add() }
        #expect(changed.withLock(\.self) == false)
        crate.width = 2
        #expect(changed.withLock(\.self) && changes.count == 1)
    }
}

@Model
private class Rectangle {
    var width = 0.0
    @Key("h") var height = 0.0
    var isFilled = false
    var label: String?
    private(set) var version = 0
    private(set) var parts: [Rectangle] = []
    @Composite(\.width, \.height) var area: Double { width == 0 ? 0 : width * height }
    @Composite(\.area, \.isFilled) var ink: String { isFilled ? "\(area)" : "none" }
    @Composite(\.isFilled) var title: Bool { false }
    @Composite(\.isFilled) var fullName: String { "\(label ?? "")\(isFilled)" }
    @Composite(\.parts) var filledParts: [Rectangle] { parts.filter(\.isFilled) }

    func advance() { version += 1 }
    func add(_ part: Rectangle) { parts.append(part) }
}

@Model
private class Box: Rectangle {
    var depth = 1.0
    @Composite(\.area, \.depth) var volume: Double { area * depth }
    @Composite(\.height) var isTall: Bool { height > 10 }
}

@Model
private final class Crate: Box {
    var weight = 1.0
    @Composite(\.weight, \.volume) var density: Double { volume == 0 ? 0 : weight / volume }
    @Composite(\.weight, \.height) var spread: Double { height + weight }
}

@Model
private class Frame: Rectangle {
    var border = 0.0
    @Composite(\.width, \.border) var margin: Double { width == 0 ? 0 : width * border }
}

@Model
private final class Sheet: Frame {
    var kind = 0
}

@Model
private class Marked {
    private var mark = 1
    func changeHidden() { mark += 1 }
}

@Model
private final class Shadow: Marked {
    @Key("ownMark") var mark = 1
    @Composite(\.mark) var doubled: Int { mark * 2 }
}
