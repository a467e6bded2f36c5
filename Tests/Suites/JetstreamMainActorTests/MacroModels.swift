import Jetstream
import Testing

// Models of the macro in a module whose default isolation is the main actor.

@Model
class Figure {
    var title = ""
    var next: Figure?
    @Composite(\.title) var length: Int { title.count }

    init(title: String) { self.title = title }
}

@Model
final class Ring: Figure {
    var radius = 1.0
    @Ignored var isDrawn = false

    // Under this isolation, Swift asks each subclass for an initializer of its own.
    override init(title: String) { super.init(title: title) }
}

/// Lives wherever its owner does.
@Model
nonisolated final class Free {
    var value = 0
    var other: Free?
}

@Suite("Models made by the macro under main actor isolation by default")
struct MacroModelTests {
    @Test("a macro model on the main actor keeps its values, and a subclass the inherited ones")
    func sets() {
        let ring = Ring(title: "one")
        ring.radius = 2
        ring.next = Figure(title: "next")
        #expect(ring.title == "one" && ring.length == 3 && ring.radius == 2 && ring.next?.title == "next")
        #expect(Ring.modelSchema.properties.map(\.name) == ["title", "next", "length", "radius"])
        let made: Figure = Ring(uuid: ring.uuid)
        #expect(made.uuid == ring.uuid && made.className == "Ring")
    }

    @Test("a nonisolated model of a main actor module is used on another actor")
    nonisolated func free() async {
        let free = Free()
        free.value = 3
        free.other = Free()
        #expect(free.value == 3 && free.other?.value == 0)
    }
}
