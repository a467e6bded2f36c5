import HeliumCore
import HeliumJSON
import JetstreamCore

/// Simulates the actions of users on documents, and of the application on the server's tree.
struct User {
    unowned let world: SyncWorld

    private var random: RandomSource { world.random }

    /// Does something at random. Without a document it does nothing.
    func act() {
        if random.below(12) == 0 { return updateServer() }
        let client = world.clients[random.below(world.clients.count)]
        guard let process = client.process, !process.hasEnded, let document = process.document,
            document.scope.isAttached
        else { return }
        switch random.below(20) {
        case 0:
            world.count(.pause)
            document.pause()
        case 1:
            guard !document.sets.isEmpty else { return }
            world.note("\(process.name) undoes a set")
            world.count(.undo)
            document.scope.undo(document.sets[random.below(document.sets.count)])
        case 2, 3: callProcedure(process.name, document)
        default: edit(process.name, document)
        }
    }

    private func edit(_ name: String, _ document: Document) {
        func make() {
            for _ in 0...(random.below(3) == 0 ? 2 : 0) {
                let edit = Edit.pick(random)
                guard edit.make(EditScene(document, in: world)) else { continue }
                world.count(edit.kind)
                world.note("\(name) edits: \(edit.kind)")
            }
        }
        switch random.below(5) {
        case 0, 1:
            world.count(.plainChanges)
            make()
        case 2, 3:
            world.count(.change)
            document.modify(make)
        default:
            world.count(.atomicChange)
            document.modifyAtomically(make)
        }
    }

    private func callProcedure(_ name: String, _ document: Document) {
        let scene = EditScene(document, in: world)
        world.count(.procedure)
        world.note("\(name) calls a procedure")
        if random.below(2) == 0, let canvas = scene.pick(scene.canvases) {
            document.modify(procedure: "Canvas.draw") { scene.insert(scene.makeShape(), into: &canvas.shapes) }
            return
        }
        guard let folder = scene.pick(scene.folders) else { return }
        let isRight = random.below(3) > 0
        let constraint = Constraint(
            .change,
            className: "Folder",
            properties: ["note": .hasNewValue],
            allowsAdditionalProperties: false
        )
        let set = document.modify(
            procedure: "Folder.rename",
            constraints: random.below(2) == 0 ? [constraint] : nil
        ) {
            folder.note = "t\(world.token())"
            if !isRight { folder.cursor = Double(world.token()) }
        }
        if set.error?.kind == .invalidChanges { world.count(.constraintRefused) }
    }

    private func updateServer() {
        guard let server = world.server, server.isUp, !world.ledger.identifiers.isEmpty else { return }
        let id = world.ledger.identifiers[random.below(world.ledger.identifiers.count)]
        world.count(.serverUpdate)
        let text = JSONValue.string("t\(world.token())")
        let number = JSONValue.number(JSONNumber(world.token()))
        let operators: JSONObject =
            switch (world.ledger.objects[id], random.below(3)) {
            case ("Folder", 0): ["$push": ["canvases": ["name": text, "shapes": [["x": number]]]]]
            case ("Folder", 1): ["$set": ["link": ["note": text]]]
            case ("Folder", _): ["$set": ["note": text]]
            case ("Canvas", 0): ["$push": ["shapes": ["y": number]]]
            case ("Canvas", 1): ["$set": ["shapes": [], "name": text]]
            case ("Canvas", _): ["$set": ["name": text]]
            default: ["$set": ["x": number]]
            }
        server.update(["$uuid": .string(id)], operators)
    }
}
