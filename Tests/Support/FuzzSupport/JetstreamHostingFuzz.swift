import Foundation
import HeliumCore
import HeliumJSON
import JetstreamHosting
import Synchronization
import TestSupport

extension FuzzTarget {
    static let jetstreamServer = FuzzTarget(
        "jetstream-server",
        examples: [
            [
                #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"add","uuid":"@3","clsName":"Node","#
                    + #""properties":{"next":"@1","text":"a"}},{"type":"change","uuid":"@1","clsName":"Node","properties":"#
                    + #"{"nodes":["@3","@2","@3"],"next":null}}]}"#,
                #"{"type":"Ping","index":0,"ack":1,"resendMissing":true}"#,
                #"{"type":"ScopeSync","index":3,"scopeIndex":0,"atomic":true,"fragments":[{"type":"change","uuid":"@1","#
                    + #""clsName":"Node","properties":{"nodes":[]}},{"type":"change","uuid":"@9","clsName":"Node","#
                    + #""properties":{}}]}"#,
            ].joined(separator: "\n"),
            #"[{"type":"ScopeFetch","index":5,"name":"Graph"},{"type":"ScopeSync","index":4,"scopeIndex":0,"atomic":true,"#
                + #""procedure":"Node.grow","fragments":[{"type":"change","uuid":"@1","clsName":"Node","properties":"#
                + #"{"nodes":["@1","@2","@2"]}}]},{"type":"Reply","index":6,"replyTo":1}]"#,
            #"{"type":"ScopeSync","index":2,"scopeIndex":0,"fragments":[{"type":"change","uuid":"@2","clsName":"Node","#
                + #""properties":{"due":"2020-01-01T00:00:00Z","tags":["a"],"count":1.5,"kind":1,"done":true}}]}"#,
        ],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "\n", "null", "true", "0", "1", "-1", "1e999", "9007199254740992",
            "\"@1\"",
            "\"@2\"", "\"@3\"", "\"@4\"", "\"index\":", "\"ack\":", "\"nodes\":", "\"next\":", "\"fragments\":",
            "\"properties\":", "\"atomic\":true", "\"procedure\":\"Node.grow\"", "\"type\":\"add\"",
            "\"type\":\"change\"",
            "\"resendMissing\":true", "\\ud800", "\u{301}", "[[[[[[[[",
        ],
        check: { try JetstreamHostingFuzz.frames($0) }
    )

    static let jetstreamScopes = FuzzTarget(
        "jetstream-scopes",
        examples: [JetstreamHostingFuzz.scopes, JetstreamHostingFuzz.smallScopes],
        pieces: [
            "{", "}", "[", "]", ",", ":", "\"", "null", "true", "1", "1e999", "\"string\"", "\"number\"", "\"Node\"",
            "\"Kind\"", "\"inherits\":", "\"type\":", "\"default\":", "\"$uuid\":", "\"$cls\":", "\"$new\"",
            "\"$insert\"",
            "\"root\":", "\"initial\":", "\"properties\":", "\"procedures\":", "\\ud800", "\u{301}", "[[[[[[[[",
        ],
        check: { try JetstreamHostingFuzz.file($0) }
    )
}

/// Gives bytes to the Jetstream server's engine and to the reader of scope files.
package enum JetstreamHostingFuzz {
    static let scopes = #"""
        {"enumerations":{"Kind":{"type":"number","values":[0,1]}},"classes":{"Node":{"properties":{"text":"string",
        "count":{"type":"number","default":7},"done":"boolean","due":"date","kind":{"type":"Kind","default":0},
        "tags":["string"],"next":"Node","nodes":["Node"]},"procedures":{"grow":[{"type":"change","class":"Node",
        "properties":{"nodes":"$insert"}}]}},"Leaf":{"inherits":"Node","properties":{"extra":"string"}}},"scopes":{"Graph":{
        "root":"Node","initial":{"$uuid":"00000000-0000-4000-8000-000000000001","nodes":[{"$uuid":
        "00000000-0000-4000-8000-000000000002","next":"00000000-0000-4000-8000-000000000001"}]}}}}
        """#
    static let smallScopes = #"""
        {"classes":{"A":{"properties":{"b":"A","c":["A"]}}},"scopes":{"S":{"root":"A","initial":{"b":{"c":[{},{"$cls":"A"}]}}}},
        "refuse":{"connection":["deny"],"session":["deny"],"fetch":["deny"]}}
        """#

    /// Engines of our rules and of the original's, with two clients that have fetched the scope. Each input gets copies.
    private static let engines: [JetstreamEngine] = [false, true].compactMap { isOriginal in
        let random = Mutex(SeededRandom(seed: 1))
        var settings = JetstreamEngine.Settings()
        settings.hasOriginalRules = isOriginal
        guard let file = try? ScopeFile(parsing: Data(scopes.utf8)),
            var engine = try? JetstreamEngine(
                file,
                settings: settings,
                random: RandomSource { random.withLock { $0.next() } }
            )
        else { return nil }
        for id in 1...2 {
            _ = engine.handle(.opened(id, parameters: [:]), at: .zero)
            for frame in [
                #"{"type":"SessionCreate","index":0,"version":"1.0.0"}"#,
                #"{"type":"ScopeFetch","index":1,"name":"Graph"}"#,
            ] {
                _ = engine.handle(.frame(id, Array(frame.utf8)), at: .zero)
            }
        }
        return engine
    }

    /// Each line is a frame of a client that has fetched a scope; `@1` stands for the identifier of object 1.
    ///
    /// - Parameter isMeasured: Whether its cost is measured. Then both engines take the input, and nothing is checked that costs
    ///   more than the input is long. Otherwise one of them takes it, by its length.
    package static func frames(_ bytes: [UInt8], isMeasured: Bool = false) throws {
        guard engines.count == 2 else { throw FuzzFinding("the engines cannot be made") }
        for var engine in isMeasured ? engines : [engines[bytes.count % 2]] {
            // The reply and the state have 1 and 2.
            var indexes = [1: 2, 2: 2]
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                for action in engine.handle(.frame(1, expanded(line)), at: .zero) {
                    guard case .send(let id, let frame) = action else { continue }
                    try check(frame, of: id, &indexes)
                }
            }
            guard !isMeasured else { continue }
            guard let state = engine.state(of: "Graph"), case .array(let fragments)? = state["fragments"] else {
                throw FuzzFinding("the scope has no state")
            }
            guard fragments.count == engine.objectCount(in: "Graph") else {
                throw FuzzFinding("the scope holds objects that the root does not reach")
            }
        }
    }

    /// Messages that were not there before have the next indexes.
    private static func check(_ frame: ServerFrame, of id: Int, _ indexes: inout [Int: Int]) throws {
        guard let messages = try JSONValue(parsing: frame.bytes).arrayValue else { throw FuzzFinding("no array") }
        for message in messages {
            guard let index = message["index"]?.intValue else { throw FuzzFinding("a message without an index") }
            let last = indexes[id] ?? 0
            guard index <= last + 1 else { throw FuzzFinding("message \(index) comes after \(last)") }
            indexes[id] = max(index, last)
        }
    }

    /// Each line is a frame of a client for which as many messages are retained as the input has bytes. Acknowledgements count from
    /// 1,000,000.
    package static func acknowledgements(_ bytes: [UInt8]) {
        let fetches = (2..<(bytes.count + 2)).map { #"{"type":"ScopeFetch","index":\#($0),"name":"None"}"# }
        for var engine in engines {
            _ = engine.handle(.frame(1, Array("[\(fetches.joined(separator: ","))]".utf8)), at: .zero)
            for line in withSmallAcknowledgements(bytes).split(separator: 0x0A) {
                _ = engine.handle(.frame(1, Array(line)), at: .zero)
            }
        }
    }

    /// An input in which acknowledgements count from 0 and not from 1,000,000, with spaces in front that keep its length.
    private static func withSmallAcknowledgements(_ input: [UInt8]) -> [UInt8] {
        let name = Array(#""ack":1"#.utf8)
        var (bytes, index) = (input, 0)
        while index + name.count <= bytes.count {
            guard bytes[index..<(index + name.count)].elementsEqual(name) else {
                index += 1
                continue
            }
            index += name.count
            bytes[index - 1] = 0x20
            while index + 1 < bytes.count, bytes[index] == 0x30, 0x30...0x39 ~= bytes[index + 1] {
                bytes[index] = 0x20
                index += 1
            }
        }
        return bytes
    }

    /// A line with each `@1` in full.
    static func expanded(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in line {
            if bytes.last == 0x40, 0x30...0x39 ~= byte {
                bytes.removeLast()
                bytes += "00000000-0000-4000-8000-00000000000".utf8
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// A file that is read is written, and read again as it was.
    package static func file(_ bytes: [UInt8]) throws {
        let file: ScopeFile
        do {
            file = try ScopeFile(parsing: Data(bytes))
        } catch is ScopeFileError {
            return
        }
        do {
            guard try ScopeFile(parsing: file.data()) == file else { throw FuzzFinding("is read as another file") }
        } catch let error as ScopeFileError {
            throw FuzzFinding("what is written is not read: \(error)")
        }
    }
}
