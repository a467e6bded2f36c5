import HeliumJSON
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Annotations as clients send them", .timeLimit(.minutes(5)))
struct SentAnnotationTests {
    @Test(
        "annotations are bounded before any work is done for them",
        arguments: [("PATCH", "users/me"), ("POST", "channels"), ("POST", "posts"), ("POST", "files")]
    )
    func bounds(method: String, path: String) async throws {
        let many = (0...SentAnnotations.maximum).map { #"{"type":"a.b\#($0)"}"# }
        let long = #"{"type":"a.b","value":{"c":"\#(String(repeating: "x", count: SentAnnotations.maximumBytes))"}}"#
        let looked = (0...ReplacementValues.maximumOfObject).map {
            #"{"+net.app.core.place":{"factual_id":"\#($0)"}}"#
        }
        let values = #"{"type":"a.b","value":{"list":[\#(looked.joined(separator: ","))]}}"#
        try await withAppNet { alice async throws in
            for (annotations, reason) in [
                (many.joined(separator: ","), "At most 512"), (long, "262144 bytes"), (values, "At most 256"),
            ] {
                let body = #"{"type":"a.b","text":"hello","annotations":[\#(annotations)]}"#
                let answer = try await alice.send(method, path, body)
                #expect(answer.status == 400 && answer.message.contains(reason), "\(answer.text.prefix(300))")
            }
        }
    }

    @Test("annotations keep their order, and of each type there is one")
    func order() {
        func annotation(_ type: String, _ value: Int) -> JSONValue { ["type": .string(type), "value": .count(value)] }
        var annotations = AnnotationsByType([annotation("a", 1), annotation("b", 2), annotation("c", 3)])
        annotations["b"] = annotation("b", 4)
        annotations["a"] = nil
        annotations["d"] = annotation("d", 5)
        annotations["a"] = annotation("a", 6)
        annotations["x"] = nil
        #expect(
            annotations.all == [
                annotation("b", 4), annotation("c", 3), annotation("d", 5), annotation("a", 6),
            ]
        )
    }

    @Test("the users of a list are bounded before they are looked up")
    func users() async throws {
        try await withAppNet { alice async throws in
            let names = Array(repeating: "1", count: ChannelRules.maximumNames + 1).joined(separator: ",")
            let answer = try await alice.send(
                "POST",
                "channels",
                #"{"type":"a.b","readers":{"user_ids":"\#(names)"}}"#
            )
            #expect(answer.status == 400 && answer.message.contains("at most 10000"), "\(answer.text)")
            let message = try await alice.send(
                "POST",
                "channels/pm/messages",
                #"{"text":"hello","destinations":"\#(names)"}"#
            )
            #expect(message.status == 400 && message.message.contains("at most 10000"), "\(message.text)")
        }
    }

    @Test("a form with very many fields is 400")
    func form() async throws {
        try await withAppNet { alice async throws in
            let fields = (0...1000).map { "a\($0)=b" }.joined(separator: "&")
            let type = "application/x-www-form-urlencoded"
            #expect(try await alice.send("POST", "posts", fields, type: type).status == 400)
        }
    }
}
