import HeliumCore
import HeliumJSON
import JetstreamCore

/// A change that a user makes of a document. A further one is an entry of ``all``.
struct Edit: Sendable {
    let kind: Kind
    /// Its share among all edits.
    let share: Int
    /// Makes the change. Returns `false` if the document has nothing for it.
    let make: @Sendable (EditScene) -> Bool

    static let all: [Edit] = [
        Self(kind: .setValue, share: 30) { scene in
            scene.setValue(of: scene.any())
            return true
        },
        Self(kind: .addObject, share: 20) { $0.addObject() },
        Self(kind: .removeObject, share: 10) { $0.removeObject() },
        Self(kind: .moveObject, share: 8) { $0.moveShape() },
        Self(kind: .reorder, share: 5) { $0.reorder() },
        Self(kind: .select, share: 6) { scene in
            guard let canvas = scene.pick(scene.canvases) else { return false }
            canvas.selected = scene.oneIn(4) ? nil : scene.pick(scene.shapes)
            return true
        },
        Self(kind: .share, share: 6) { $0.share() },
        Self(kind: .cycle, share: 6) { scene in
            guard let folder = scene.pick(scene.folders) else { return false }
            folder.link = scene.oneIn(4) ? nil : scene.pick(scene.folders)
            return true
        },
        Self(kind: .detach, share: 5) { scene in
            let object = scene.any()
            guard object !== scene.document.root else { return false }
            object.detach()
            scene.document.removed.append(object)
            return true
        },
        Self(kind: .bringBack, share: 8) { $0.bringBack() },
        Self(kind: .pin, share: 8) { $0.pin() },
        Self(kind: .favor, share: 6) { scene in
            guard let folder = scene.pick(scene.folders) else { return false }
            folder.favorite = scene.oneIn(3) ? nil : scene.pick(scene.folders)
            return true
        },
        Self(kind: .aim, share: 8) { $0.aim() },
    ]

    static func pick(_ random: RandomSource) -> Edit { random.pick(all, by: \.share) }
}

/// A document with the objects of the moment.
final class EditScene {
    let document: Document
    let world: SyncWorld
    let objects: [any ModelObject]
    let folders: [Folder]
    let canvases: [Canvas]
    let shapes: [Shape]

    init(_ document: Document, in world: SyncWorld) {
        self.document = document
        self.world = world
        objects = document.scope.allObjects
        folders = objects.compactMap { $0 as? Folder }
        canvases = objects.compactMap { $0 as? Canvas }
        shapes = objects.compactMap { $0 as? Shape }
        if let root = document.root, TreeText.syncedObjects(below: root).count < objects.count {
            world.count(.localObject)
        }
        if folders.contains(where: { $0.favorite.map { $0.scope == nil } ?? false }) {
            world.count(.weaklyLinkedObject)
        }
    }

    func oneIn(_ count: Int) -> Bool { world.random.below(count) == 0 }

    func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[world.random.below(elements.count)]
    }

    /// An object of any class.
    func any() -> any ModelObject { objects[world.random.below(objects.count)] }

    func setValue(of object: any ModelObject) {
        let token = world.token()
        switch object {
        case let folder as Folder:
            if oneIn(3) { folder.cursor = Double(token) } else { folder.note = "t\(token)" }
        case let canvas as Canvas: canvas.name = "t\(token)"
        case let shape as Shape:
            switch world.random.below(3) {
            case 0: shape.x = Double(token)
            case 1: shape.y = Double(token)
            default: shape.color = RGBAColor(UInt32(token))
            }
        default: break
        }
    }

    // MARK: New objects

    func makeShape() -> Shape {
        let shape = Shape(uuid: world.identifier())
        setValue(of: shape)
        return shape
    }

    private func makeCanvas() -> Canvas {
        let canvas = Canvas(uuid: world.identifier())
        canvas.name = "t\(world.token())"
        canvas.shapes = (0..<world.random.below(3)).map { _ in makeShape() }
        if oneIn(3) { canvas.selected = canvas.shapes.first }
        return canvas
    }

    private func makeFolder() -> Folder {
        let folder = Folder(uuid: world.identifier())
        folder.note = "t\(world.token())"
        if oneIn(2) { folder.canvases = [makeCanvas()] }
        if oneIn(4) { folder.link = folder }
        if oneIn(4) { folder.favorite = pick(folders) }
        if oneIn(4) {
            let child = Folder(uuid: world.identifier())
            child.link = oneIn(2) ? folder : document.root
            folder.folders = [child]
        }
        return folder
    }

    func insert<Element>(_ element: Element, into elements: inout [Element]) {
        elements.insert(element, at: world.random.below(elements.count + 1))
    }

    func addObject() -> Bool {
        switch world.random.below(6) {
        case 0: if let folder = pick(folders) { insert(makeFolder(), into: &folder.folders) }
        case 1: if let folder = pick(folders) { insert(makeCanvas(), into: &folder.canvases) }
        default:
            guard let canvas = pick(canvases) else { return false }
            insert(makeShape(), into: &canvas.shapes)
        }
        return true
    }

    // MARK: Places

    func removeObject() -> Bool {
        switch world.random.below(6) {
        case 0:
            guard let folder = pick(folders.filter { !$0.folders.isEmpty }) else { return false }
            document.removed.append(folder.folders.remove(at: world.random.below(folder.folders.count)))
        case 1:
            guard let folder = pick(folders.filter { !$0.canvases.isEmpty }) else { return false }
            document.removed.append(folder.canvases.remove(at: world.random.below(folder.canvases.count)))
        default:
            guard let canvas = pick(canvases.filter { !$0.shapes.isEmpty }) else { return false }
            document.removed.append(canvas.shapes.remove(at: world.random.below(canvas.shapes.count)))
        }
        return true
    }

    func moveShape() -> Bool {
        if oneIn(5), let from = pick(folders.filter { !$0.canvases.isEmpty }), let to = pick(folders), from !== to {
            let canvas = from.canvases.remove(at: world.random.below(from.canvases.count))
            if !to.canvases.contains(where: { $0 === canvas }) { insert(canvas, into: &to.canvases) }
            return true
        }
        guard let from = pick(canvases.filter { !$0.shapes.isEmpty }), let to = pick(canvases), from !== to else {
            return false
        }
        let shape = from.shapes.remove(at: world.random.below(from.shapes.count))
        if !to.shapes.contains(where: { $0 === shape }) { insert(shape, into: &to.shapes) }
        return true
    }

    func reorder() -> Bool {
        guard let canvas = pick(canvases.filter { $0.shapes.count > 1 }) else { return false }
        let shape = canvas.shapes[world.random.below(canvas.shapes.count)]
        var shapes = canvas.shapes.filter { $0 !== shape }
        insert(shape, into: &shapes)
        canvas.shapes = shapes
        return true
    }

    func share() -> Bool {
        if oneIn(3), let folder = pick(folders), let other = pick(folders),
            !folder.folders.contains(where: { $0 === other })
        {
            // A folder may be its own child, or an ancestor of its parent.
            insert(other, into: &folder.folders)
            return true
        }
        guard let canvas = pick(canvases), let shape = pick(shapes), !canvas.shapes.contains(where: { $0 === shape })
        else { return false }
        insert(shape, into: &canvas.shapes)
        return true
    }

    /// Sets a local property, which keeps an object in this client's tree.
    func pin() -> Bool {
        guard let folder = pick(folders) else { return false }
        if oneIn(2) {
            folder.pinned = oneIn(3) ? nil : pick(shapes)
        } else {
            folder.opened = oneIn(3) ? nil : pick(folders)
        }
        return true
    }

    /// Sets a reference that is sent late, mostly of the root, so that it waits. A folder may be moved there.
    func aim() -> Bool {
        guard let folder = oneIn(2) ? document.root : pick(folders) else { return false }
        if oneIn(3), let from = pick(folders.filter { !$0.folders.isEmpty }) {
            let moved = from.folders.remove(at: world.random.below(from.folders.count))
            document.removed.append(moved)
            folder.target = moved
        } else {
            folder.target = oneIn(3) ? nil : oneIn(2) ? makeFolder() : pick(folders)
        }
        return true
    }

    func bringBack() -> Bool {
        guard !document.removed.isEmpty else { return false }
        switch document.removed.remove(at: world.random.below(document.removed.count)) {
        case let shape as Shape:
            guard let canvas = pick(canvases), !canvas.shapes.contains(where: { $0 === shape }) else { return false }
            insert(shape, into: &canvas.shapes)
        case let canvas as Canvas:
            guard let folder = pick(folders), !folder.canvases.contains(where: { $0 === canvas }) else { return false }
            insert(canvas, into: &folder.canvases)
        case let folder as Folder:
            guard let parent = pick(folders), !parent.folders.contains(where: { $0 === folder }) else { return false }
            insert(folder, into: &parent.folders)
        default: return false
        }
        return true
    }
}
