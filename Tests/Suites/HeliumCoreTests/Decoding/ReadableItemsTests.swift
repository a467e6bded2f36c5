import Foundation
import HeliumCore
import HeliumJSON
import Testing

/// An item, for both ways of decoding.
private struct Item: Codable, JSONReadable, Hashable, Sendable {
    var id: Int
    var size: Int

    init(id: Int, size: Int) {
        self.id = id
        self.size = size
    }

    init(json: borrowing JSONReader) throws {
        var id: Int?
        var size: Int?
        try json.forEachMember { name, value in
            switch name {
            case "id": id = try value.read()
            case "size": size = try value.read()
            default: break
            }
        }
        self.init(id: try json.required(id, "id"), size: try json.required(size, "size"))
    }
}

@Suite("Lists in which some items cannot be decoded")
struct ReadableItemsTests {
    private func lists(_ json: String) throws -> [ReadableItems<Item>] {
        let data = Data(json.utf8)
        return [
            try HeliumJSONDecoder().decode(ReadableItems<Item>.self, from: data),
            try JSONDecoder().decode(ReadableItems<Item>.self, from: data),
        ]
    }

    @Test("items that cannot be decoded are left out, counted and named")
    func named() throws {
        let json = #"[{"id":1,"size":1},{"id":2,"size":"x"},{"size":3},5,{"id":"6","size":6},{"id":7,"size":7}]"#
        for list in try lists(json) {
            #expect(list.elements == [Item(id: 1, size: 1), Item(id: 7, size: 7)])
            #expect(list.unreadable.count == 4 && list.unreadable.ids == ["2", "6"])
            #expect(list.unreadable.items.map(\.id) == ["2", nil, nil, "6"])
            #expect(list.unreadable.items.first?.reason.contains("size") == true, "\(list.unreadable.items)")
            #expect("\(list.unreadable)" == "4 unreadable: 2, 6, 2 without a known id")
        }
    }

    @Test(
        "a list in which no item can be decoded and none has an id is an error, and an empty list is not",
        arguments: ["[5]", "[{},{}]", #"[{"id":null},{"id":""}]"#, #"[{"id":"a b"}]"#, #"[{"id":{"id":"1"},"a":1}]"#]
    )
    func none(_ json: String) throws {
        #expect(throws: DecodingError.self) {
            try HeliumJSONDecoder().decode(ReadableItems<Item>.self, from: Data(json.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ReadableItems<Item>.self, from: Data(json.utf8))
        }
        for list in try lists("[]") { #expect(list.elements.isEmpty && list.unreadable.isEmpty) }
    }

    @Test("a list in which no item can be decoded has no elements if an item has an id", arguments: ["2", "\"2\""])
    func onlyUnreadable(_ id: String) throws {
        for list in try lists("[5,{\"id\":\(id)}]") {
            #expect(list.elements.isEmpty && list.unreadable.count == 2 && list.unreadable.ids == ["2"])
        }
    }

    @Test("only the first items are kept, and all are counted")
    func bounded() throws {
        let json = "[{\"id\":0,\"size\":0}" + String(repeating: ",{\"id\":1}", count: 1_000) + "]"
        var list = try HeliumJSONDecoder().decode(ReadableItems<Item>.self, from: Data(json.utf8)).unreadable
        #expect(list.count == 1_000 && list.items.count == 200)
        list.add(list)
        #expect(list.count == 2_000 && list.items.count == 200)
    }

    @Test("a very long id is not kept")
    func longID() throws {
        let json = #"[{"id":1,"size":1},{"id":"\#(String(repeating: "a", count: 10_000))"}]"#
        for list in try lists(json) { #expect(list.unreadable.items.map(\.id) == [nil]) }
    }

    @Test("a stand-in has the id and the reason of its item")
    func standIns() throws {
        let items = [
            ItemStandIn(id: "2", reason: "too deep"), ItemStandIn(id: nil, reason: "too long"),
            ItemStandIn(id: "a b", reason: String(repeating: "x", count: 10_000)),
        ]
        let json =
            "[{\"id\":1,\"size\":1}" + items.map { ",\($0.value.text())" }.joined() + ",[\"9\"],[1,2],[[],\"a\"]]"
        for list in try lists(json) {
            #expect(list.elements.count == 1 && list.unreadable.count == 6)
            #expect(list.unreadable.items.map(\.id) == ["2", nil, nil, nil, nil, nil])
            let reasons = list.unreadable.items.map(\.reason)
            #expect(reasons[0].contains("too deep") && reasons[1].contains("too long"), "\(reasons)")
            #expect(reasons[2].contains("xxx") && reasons[2].utf8.count < 1_000)
        }
    }

    @Test("items that are nested too deep are replaced by stand-ins with their ids")
    func deep() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let json = Data(#"{"a":[{"id":1,"size":1},{"b":\#(deep),"id":2},{"c":{"d":\#(deep),"id":3}},\#(deep)]}"#.utf8)
        let shallow = try #require(ReadableItems<Item>.withoutDeepItems(json, at: [["a"]]))
        let list = try #require(try HeliumJSONDecoder().decode(ReadableItems<Item>.self, from: shallow, at: ["a"]))
        #expect(list.elements == [Item(id: 1, size: 1)])
        #expect(list.unreadable.items.map(\.id) == ["2", "3", nil])
        #expect(list.unreadable.items.allSatisfy { $0.reason.contains("nested deeper than 512 levels") })
        #expect(ReadableItems<Item>.withoutDeepItems(shallow, at: [["a"]]) == nil)
    }

    @Test("the items left out are in the report of the call")
    func report() throws {
        let (_, report) = try DecodingReport.collecting { try lists(#"[{"id":1,"size":1},{"id":2}]"#) }
        #expect(report.findings.map(\.consequence) == [.droppedElement, .droppedElement])
    }
}
