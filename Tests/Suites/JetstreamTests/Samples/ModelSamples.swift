import Foundation
import Jetstream
import JetstreamHosting

// The samples of Jetstream's documentation, compiled as they are shown.

enum CanvasSample {
    // sample
    @Model
    final class Canvas {
        var name = ""
        var shapes: [Shape] = []
        var selected: Shape?
    }

    @Model
    final class Shape {
        var x = 0.0
        var y = 0.0
        var width = 10.0
        var height = 10.0
        var kind = Kind.rectangle
        var color = RGBAColor(0x3366FFFF)

        @Composite(\.width, \.height)
        var area: Double { width * height }

        enum Kind: Int, ModelScalar {
            case rectangle, ellipse
        }
    }
    // end of sample
}

enum FigureSample {
    // sample
    @Model
    class Figure {
        var title = ""
    }

    @Model
    final class Circle: Figure {
        var radius = 1.0
    }
    // end of sample
}

enum BranchSample {
    // sample
    @Model
    final class Branch {
        var branches: [Branch] = []
        weak var parent: Branch?
    }
    // end of sample
}

enum PointSample {
    // sample
    @Model
    final class Point {
        var x = 0.0
        var y = 0.0

        init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }
    // end of sample
}

enum BoardSample {
    // sample
    @MainActor
    @Model
    final class Board {
        var title = ""
    }
    // end of sample
}

enum ItemSample {
    // sample
    @Model
    final class Item {
        var title = ""
        var isDone = false
        var parts: [Item] = []
    }
    // end of sample
}

enum MacroSample {
    typealias Point = PointSample.Point

    // sample
    @Model
    final class Shape {
        var x: Double = 0
        var y = 0.0
        var color = RGBAColor(0x3366FFFF)
        var label: String?
        var next: Shape?
        var points: [Point] = []
    }
    // end of sample
}

enum PropertyObserverSample {
    // sample
    @Model
    final class Meter {
        var value = 0.0 {
            didSet { peak = max(peak, value) }
        }
        var peak = 0.0
    }
    // end of sample
}

enum OwnerSample {
    typealias Canvas = CanvasSample.Canvas

    // sample
    actor Room {
        let canvas = Canvas()
        var changes = 0

        func start() {
            canvas.observeTreeChange(self) { [weak self] in
                self?.assumeIsolated { $0.changes += 1 }
            }
        }
    }
    // end of sample
}

enum ActorSample {
    // sample
    @Studio @Model(on: Studio.self)
    final class Track {
        var title = ""
    }
    // end of sample
}

enum CardSample {
    // sample
    @Model
    final class Card {
        var text = ""
        var cards: [Card] = []
    }

    @MainActor
    func plan(_ url: URL) async throws {
        let client = try JetstreamClient(url: url)
        client.connect()
        let board = Card()
        let scope = Scope(name: "Board", root: board)
        try await client.fetch(scope)  // from here on in step with the server
        let card = Card()
        card.text = "Water the plants"
        let added = scope.modify { board.cards.append(card) }
        try await added.completion()  // the server has it
        await client.close()
    }
    // end of sample

    static func host() throws -> JetstreamServer {
        // sample
        let board = Card()
        board.text = "Garden"
        var models = ModelScopeFile()
        try models.addScope("Board", initial: board)
        let server = try JetstreamServer(.init(scopes: ScopeFile(models.value)))
        // end of sample
        return server
    }
}

enum HostSample {
    typealias Canvas = CanvasSample.Canvas

    static func host() throws -> JetstreamServer {
        // sample
        let canvas = Canvas()
        canvas.name = "Demo"
        var models = ModelScopeFile()
        try models.addScope("Canvas", initial: canvas)
        let server = try JetstreamServer(.init(scopes: ScopeFile(models.value)))
        // end of sample
        return server
    }

    static func hostClass() throws -> JetstreamServer {
        // sample
        let models = try ModelScopeFile(scope: "Canvas", root: Canvas.self)
        let server = try JetstreamServer(.init(scopes: ScopeFile(models.value)))
        // end of sample
        return server
    }
}
