import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import AppNet

@Suite("Lists of App.net in pages", .timeLimit(.minutes(5)))
struct PagingTests {
    private func list(_ stream: ScriptedStream) throws -> PagedList<Message> {
        try makeClient(stream.transport).messages.list(in: 1)
    }

    private func collect(_ items: some AsyncSequence<Message, any Error>) async throws -> [Message.ID] {
        var ids: [Message.ID] = []
        for try await item in items {
            if let id = item.id { ids.append(id) }
        }
        return ids
    }

    private func ids(_ positions: some Sequence<Int>) -> [Message.ID] { positions.map { ScriptedStream.id($0) } }

    @Test("a page has its items, the marker and the bounds of the next page in both directions")
    func page() async throws {
        let stream = ScriptedStream(10)
        let list = try list(stream)
        let page = try await list.page(PageBounds(since: "2", before: "9", count: 2))
        #expect(page.elements.compactMap(\.id) == ids([8, 7]) && page.hasMore)
        #expect(page.older == .before("7", count: 2) && page.newer == .after("8", count: 2))
        let oldest = try await list.page(PageBounds(since: "2", before: "9", count: -2))
        #expect(oldest.elements.compactMap(\.id) == ids([4, 3]) && oldest.hasMore)
        let none = try await list.page(.since("10"))
        #expect(none.elements.isEmpty && !none.hasMore && none.older == nil && none.newer == nil)
    }

    @Test(
        "a backward walk has each item once, the newest first, while others arrive",
        arguments: [0, 1, 20, 199, 200, 201, 1000],
        [1, 7, 200]
    )
    func backwards(count: Int, size: Int) async throws {
        if count / size > 300 { return }
        let stream = ScriptedStream(count) { $0 % 3 }
        let found = try await collect(try list(stream).before(pageSize: size))
        #expect(found == ids((1..<(count + 1)).reversed()))
        #expect(stream.requestCount == max(1, (count + size - 1) / size))
        if count > size { #expect(stream.newest > count, "some did arrive") }
    }

    @Test(
        "a forward walk has each item once, the oldest first, also those that arrive meanwhile",
        arguments: [1, 7, 200]
    )
    func forwards(size: Int) async throws {
        let stream = ScriptedStream(500) { $0 < 20 ? 2 : 0 }
        let found = try await collect(try list(stream).after("100", pageSize: size))
        let newest = stream.newest
        // What arrives after the last page is for the next walk.
        #expect(found == ids(101..<(101 + found.count)))
        #expect(found.count >= 400 && 100 + found.count >= newest - 2)
    }

    @Test("a forward walk without a start begins at the oldest item")
    func fromTheOldest() async throws {
        #expect(try await collect(try list(ScriptedStream(450)).after()) == ids(1..<451))
        #expect(try await collect(try list(ScriptedStream(0)).after()).isEmpty)
    }

    @Test("a backward walk ends at its bound, after any number of pages")
    func downTo() async throws {
        let stream = ScriptedStream(500) { _ in 5 }
        let found = try await collect(try list(stream).before("401", downTo: "100", pageSize: 50))
        #expect(found == ids((101..<401).reversed()) && stream.requestCount == 6)
    }

    @Test(
        "a walk from a position at the marker starts there, and without a marker at the oldest item",
        arguments: [(ListPosition.lastRead, 31), (.lastReadInclusive, 30), (.marker, 31), (.markerInclusive, 30)]
    )
    func special(position: ListPosition, first: Int) async throws {
        let read = try await collect(try list(ScriptedStream(300, lastRead: 30)).after(position, pageSize: 50))
        #expect(read == ids(first..<301))
        let unmarked = try await collect(try list(ScriptedStream(300)).after(position, pageSize: 50))
        #expect(unmarked == ids(1..<301))
    }

    @Test("a backward and a forward walk from one page have no gap and no duplicate between them")
    func together() async throws {
        let stream = ScriptedStream(300) { $0 < 10 ? 7 : 0 }
        let list = try list(stream)
        var found: [Message.ID] = []
        var top: ListPosition?
        for try await page in list.before(pageSize: 40).pages {
            if top == nil { top = page.meta.maxID.map { ListPosition($0) } }
            found += page.elements.compactMap(\.id)
        }
        let newest = try #require(top)
        let newer = try await collect(list.after(newest, pageSize: 40))
        #expect(newer.reversed() + found == ids((1..<(stream.newest + 1)).reversed()))
    }

    @Test("a page is fetched only when an item of it is needed")
    func lazy() async throws {
        let stream = ScriptedStream(100)
        var iterator = try list(stream).before(pageSize: 10).makeAsyncIterator()
        #expect(stream.requestCount == 0)
        for _ in 0..<10 { _ = try await iterator.next() }
        #expect(stream.requestCount == 1)
        _ = try await iterator.next()
        #expect(stream.requestCount == 2)
    }

    @Test(
        "a list whose next page is missing, goes back or never ends is an error, after the items before it",
        arguments: [
            (#""more":true"#, 1), (#""more":true,"min_id":"5","max_id":"5""#, 2),
        ]
    )
    func broken(meta: String, pages: Int) async throws {
        let transport = MockTransport(answers: [answer(#"[{"id":"1"}]"#, meta: meta)])
        let list = try makeClient(transport).messages.list(in: 1)
        for items in [list.before(), list.after()] {
            var iterator = items.makeAsyncIterator()
            for _ in 0..<pages { #expect(try await iterator.next()?.id == 1) }
            let error = await AppNetError.thrown { _ = try await iterator.next() }
            #expect(error?.kind == .brokenList)
            #expect(try await iterator.next() == nil, "over once it has failed")
        }
    }

    @Test(
        "a list without pagination that a server cuts is read to its end",
        arguments: ["/stream/0/users/me/muted", "/stream/0/users/me/blocked", "/stream/0/users/me/channels/muted"]
    )
    func cutLists(path: String) async throws {
        let first = answer(#"[{"id":"9"},{"id":"7"}]"#, meta: #""more":true,"min_id":"40","max_id":"41""#)
        let last = answer(#"[{"id":"3"}]"#, meta: #""more":false,"min_id":"12","max_id":"12""#)
        func read(_ client: AppNetClient) async throws -> [[String?]] {
            func texts<Owner>(_ ids: [AppNetID<Owner>?]) -> [String?] { ids.map { $0?.text } }
            var paged: [String?] = []
            switch path.split(separator: "/").dropFirst(2).joined(separator: "/") {
            case "users/me/muted":
                let all = texts(try await client.users.muted(by: .me).map(\.id))
                for try await user in client.users.mutedUsers(by: .me) { paged += texts([user.id]) }
                return [all, paged]
            case "users/me/blocked":
                let all = texts(try await client.users.blocked(by: .me).map(\.id))
                for try await user in client.users.blockedUsers(by: .me) { paged += texts([user.id]) }
                return [all, paged]
            default:
                let all = texts(try await client.channels.muted().map(\.id))
                for try await channel in client.channels.mutedChannels() { paged += texts([channel.id]) }
                return [all, paged]
            }
        }
        let transport = MockTransport(answers: [first, last, first, last])
        let found = try await read(try makeClient(transport))
        #expect(found == [["9", "7", "3"], ["9", "7", "3"]])
        #expect(
            transport.requests.map(\.url.target) == [
                path, "\(path)?before_id=40", "\(path)?count=200", "\(path)?before_id=40&count=200",
            ]
        )
    }

    @Test("a whole list with an item that cannot be decoded is an error, as it was in one page")
    func undecodableItem() async throws {
        let transport = MockTransport(answers: [answer(#"[{"id":"9"},{"id":"7","username":{}}]"#)])
        let client = try makeClient(transport)
        let error = try #require(await AppNetError.thrown { _ = try await client.users.muted(by: .me) })
        #expect(error.kind == .undecodable)
    }

    @Test(
        "a whole list that a server continues beyond a number of items or bytes is an error",
        arguments: [false, true]
    )
    func endlessWholeList(isInBytes: Bool) async throws {
        let pages = (0..<10).map { number in
            answer(#"[{"id":"1"},{"id":"2"}]"#, meta: #""more":true,"min_id":"\#(90 - number)","max_id":"99""#)
        }
        let transport = MockTransport(answers: pages)
        let client = try makeClient(transport)
        var limits = WholeListLimits()
        if isInBytes {
            limits.bytes = 3 * (try #require(pages[0].collectedBody?.count))
        } else {
            limits.items = 6
        }
        let (call, ceiling) = (CallRequest(.mutedChannels), limits)
        let thrown = await AppNetError.thrown {
            let _: [AppNetChannel] = try await client.wholeList(call, limits: ceiling)
        }
        let error = try #require(thrown)
        #expect(error.kind == .brokenList && error.hasReachedServer)
        #expect(transport.requests.count == 4)
    }

    @Test("a list whose pages go in a circle is an error where the circle closes")
    func circle() throws {
        var walk = ListWalk(.backward, from: PageBounds(), maximumPages: 10)
        for position in ["5", "4", "5"] {
            #expect(try walk.next() != nil)
            walk.arrived(ResponseMeta(more: true, minID: position, maxID: position))
        }
        let error = #expect(throws: AppNetError.self) { _ = try walk.next() }
        #expect(error?.kind == .brokenList)
        #expect(try walk.next() == nil)
    }

    @Test("an invalid size of a page is refused", arguments: [0, 201, -201, Int.min, .max])
    func sizes(size: Int) async throws {
        let list = try list(ScriptedStream(10))
        for items in [list.before(pageSize: size), list.after(pageSize: size)] {
            var iterator = items.makeAsyncIterator()
            let error = try #require(await AppNetError.thrown { _ = try await iterator.next() })
            #expect(error.kind == .invalidRequest)
        }
        _ = PageBounds.after("1", count: size)
    }

    @Test("a walk fetches at most as many pages as its limit")
    func ceiling() async throws {
        let stream = ScriptedStream(100)
        var list = try list(stream)
        list.maximumPages = 3
        let items = list.before(pageSize: 10)
        let error = try #require(await AppNetError.thrown { for try await _ in items {} })
        #expect(error.kind == .brokenList && stream.requestCount == 3)
    }

    @Test("an error ends a walk after the items that arrived before it")
    func failing() async throws {
        let first = answer(#"[{"id":"2"}]"#, meta: #""more":true,"min_id":"2","max_id":"2""#)
        let transport = MockTransport(answers: [first, refusal(404)])
        var iterator = try makeClient(transport).messages.list(in: 1).makeAsyncIterator()
        #expect(try await iterator.next()?.id == 2)
        let error = try #require(await AppNetError.thrown { _ = try await iterator.next() })
        #expect(error.kind == .notFound)
        #expect(try await iterator.next() == nil)
    }

    @Test("a cancelled task gets no further item, and CancellationError once, on the last page too")
    func cancelled() async throws {
        let list = try list(ScriptedStream(2))
        let task = Task {
            var iterator = list.before().makeAsyncIterator()
            let first = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { _ = try await iterator.next() }
            return (first?.id, try await iterator.next()?.id)
        }
        let (first, last) = try await task.value
        #expect(first == ScriptedStream.id(2) && last == nil)
    }

    @Test("a page is newest first both ways; the elements of all are in the order of the walk")
    func elements() async throws {
        let pages = try list(ScriptedStream(3)).after(pageSize: 2).pages
        #expect(try await collect(pages.elements) == ids(1..<4))
        #expect(try await collect(pages.elements(of: \.elements)) == ids([2, 1, 3]))
    }
}
