import JetstreamCore
import Testing

// Sequences of models in each form that their author may choose: see `FormBehaviour`. The file is linked into each module that
// has a form.

nonisolated enum FormSequence: String, CaseIterable {
    case additions = "what comes into an array, unless it leaves before it is read"
    case removals = "what leaves an array, unless it comes back before it is read"
    case moves = "the moves that explain an array's order"
    case attachments = "the scopes that an object comes into"
    case detachments = "the scopes that an object leaves"
    case parentAdditions = "the properties that come to refer to an object"
    case parentRemovals = "the properties that refer to an object no more"
}

extension FormSequence {
    nonisolated(nonsending) func check<Canvas: CanvasForm>(_ form: Form<Canvas>) async throws {
        let canvas = Canvas()
        let (one, two, three) = (Canvas.Drawn(), Canvas.Drawn(), Canvas.Drawn())
        switch self {
        case .additions:
            var byPath = canvas.additions(to: form.shapes).makeAsyncIterator()
            var byName = canvas.additions(key: "shapes", of: Canvas.Drawn.self).makeAsyncIterator()
            canvas.shapes = [one, two]
            canvas.shapes = [three, two]
            let (first, other) = (await byPath.next(), await byName.next())
            #expect(ids(first) == ids([two, three]) && ids(other) == ids(first))
            canvas.shapes = [one]
            let second = await byPath.next()
            #expect(ids(second) == ids([one]))
        case .removals:
            canvas.shapes = [one, two, three]
            var byPath = canvas.removals(from: form.shapes).makeAsyncIterator()
            var byName = canvas.removals(key: "shapes", of: Canvas.Drawn.self).makeAsyncIterator()
            canvas.shapes = [three]
            canvas.shapes = [one]
            let (first, other) = (await byPath.next(), await byName.next())
            #expect(ids(first) == ids([two, three]) && ids(other) == ids(first))
            canvas.shapes = []
            let second = await byPath.next()
            #expect(ids(second) == ids([one]))
        case .moves:
            canvas.shapes = [one, two, three]
            var byPath = canvas.moves(in: form.shapes).makeAsyncIterator()
            var byName = canvas.moves(key: "shapes", of: Canvas.Drawn.self).makeAsyncIterator()
            canvas.shapes = [three, one, two]
            let (first, other) = (try #require(await byPath.next()), try #require(await byName.next()))
            #expect(first.map { [$0.from, $0.to] } == [[2, 0]] && ids(first.map(\.object)) == ids([three]))
            #expect(ids(other.map(\.object)) == ids([three]))
            canvas.shapes = [one, two, three]
            canvas.shapes = [three, one, two]
            canvas.shapes = [three, two]
            canvas.shapes = [two, three]
            let second = try #require(await byPath.next())
            #expect(second.count == 1)
        case .attachments:
            var scopes = one.attachments().makeAsyncIterator()
            let scope = Scope(name: "Drawing", root: canvas)
            canvas.shapes = [one]
            canvas.shapes = []
            canvas.shapes = [one]
            let attached = await scopes.next()
            #expect(attached === scope)
        case .detachments:
            let scope = Scope(name: "Drawing", root: canvas)
            canvas.shapes = [one]
            var scopes = one.detachments().makeAsyncIterator()
            canvas.shapes = []
            one.isScopeRoot = true
            one.isScopeRoot = false
            let detached = await scopes.next()
            #expect(detached === scope)
        case .parentAdditions:
            var parents = one.parentAdditions().makeAsyncIterator()
            canvas.shapes = [one]
            canvas.selected = one
            canvas.shapes = []
            let added = try #require(await parents.next())
            #expect(added.map(\.key) == ["selected"] && added[0].parent === canvas)
        case .parentRemovals:
            canvas.shapes = [one]
            canvas.selected = one
            var parents = one.parentRemovals().makeAsyncIterator()
            canvas.shapes = []
            canvas.selected = nil
            canvas.shapes = [one]
            let removed = try #require(await parents.next())
            #expect(removed.map(\.key) == ["selected"] && removed[0].parent === canvas)
        }
    }

    private nonisolated func ids(_ objects: [some ModelObject]?) -> [ObjectIdentifier]? {
        objects?.map { ObjectIdentifier($0) }
    }
}

extension FormSequence: CustomTestStringConvertible {
    nonisolated var testDescription: String { rawValue }
}
