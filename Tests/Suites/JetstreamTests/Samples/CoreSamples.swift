import Foundation
import Jetstream

// The samples of doc comments of JetstreamCore, compiled as they are shown.

enum ChangeSetSample {
    typealias Shape = CanvasSample.Shape

    static func modify(_ shape: Shape, of scope: Scope) async throws {
        // sample
        let set = scope.modify { shape.x = 4 }
        try await set.completion()
        // end of sample
    }

    static func observe(_ shape: Shape, redraw: @escaping () -> Void) {
        // sample
        let turn = Turn()
        let observation = shape.observeChange(nil, on: turn) { redraw() }
        shape.x = 1
        shape.y = 2
        turn.flush()  // redraws once
        // end of sample
        observation.cancel()
    }

    static func follow(_ canvas: CanvasSample.Canvas, draw: (Shape) -> Void) async {
        // sample
        for await shapes in canvas.additions(to: \.shapes) { shapes.forEach(draw) }
        // end of sample
    }
}

enum ScopeSample {
    typealias Canvas = CanvasSample.Canvas

    static func make() -> ChangeSet {
        // sample
        let canvas = Canvas()
        let scope = Scope(name: "Canvas", root: canvas)
        let set = scope.modify { canvas.name = "Demo" }
        // end of sample
        return set
    }

    static func follow(_ canvas: Canvas, in scope: Scope, with client: JetstreamClient) async throws {
        // sample
        let connection = try client.connection(to: scope)
        while try await connection.next() { print(canvas.name) }
        // end of sample
    }
}

enum WeightSample {
    // sample
    enum Weight: Int, ModelScalar { case light, heavy }
    // end of sample
}

enum ClientSample {
    static func mirror(_ url: URL) async throws {
        // sample
        let client = try JetstreamClient(url: url)
        client.connect()
        let scope = client.mirror("Canvas")
        while let event = try await scope.next() { print(event) }
        await client.close()
        // end of sample
    }

    static func count(_ client: JetstreamClient) async throws {
        // sample
        let scope = client.mirror("Canvas")
        while let event = try await scope.next() {
            if case .sync(let fragments) = event { print(fragments.count) }
        }
        // end of sample
    }

    static func read(_ text: String) throws -> String {
        // sample
        let codec = JetstreamCodec()
        for message in try codec.messages(in: text) { print(message) }
        let answer = codec.text(of: .ping(.init(ack: 3)))
        // end of sample
        return answer
    }
}
