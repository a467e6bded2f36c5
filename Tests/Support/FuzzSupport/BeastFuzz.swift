internal import AppNet
internal import Foundation
internal import HeliumCore
internal import HeliumKit
internal import MessageBeast

extension FuzzTarget {
    static let beastSearch = FuzzTarget(
        "beast-search",
        examples: ["cafe #tea", "\"multi-agent\" a'b", "日本語 テスト", "NEAR(a b) *", "e\u{301}\u{316} ﬁ Ａ ｶﾞ", "😀 👩‍👩‍👧 a"],
        pieces: [
            "\"", "'", "*", "(", ")", "^", ":", "+", "-", "{", "}", " AND ", " OR ", " NOT ", "NEAR(", "text:", "\0",
            "\u{301}",
            "\u{FE0F}", "日", "本", "ｶ", "ﾞ", "가", "🇩🇪", "ß", "İ", "#", "%", "\\", "\n",
        ],
        check: BeastFuzz.search
    )

    static let beastPattern = FuzzTarget(
        "beast-pattern",
        examples: [
            "tea OR coffee", "\"a b\" * NOT c", "NEAR(tea milk, 5)", "text : ^tea + \"x\"", "{text} : (a AND b)",
        ],
        pieces: [
            "\"", "'", "*", "(", ")", "^", ":", "+", "-", "{", "}", " AND ", " OR ", " NOT ", "NEAR(", ", 5)", "text",
            "\0",
            "99999999999999999999", "日本", "\u{301}", "rank", "((((((((((((((((", "\"\"",
        ],
        check: BeastFuzz.pattern
    )

    static let beastImport = FuzzTarget(
        "beast-import",
        examples: [BeastFuzz.export],
        pieces: [
            "{", "}", "\"", ":", ",", "\n", "null", "0", "-1", "1.5", "9223372036854775807", "1e999", "\"sending\"",
            "\"parked\"",
            "\"draft\"", "\"100\"", "\"json\":", "\"local_id\":", "\"depends_on_local_id\":2", "\\u0000", "[", "]",
            #"{"end":{"lines":2}}"#, #"{"staged_bytes":{"pending_file":"f","base64":"AAAA"}}"#, "../", "\"outbox\"",
            "\"meta\"",
        ],
        // Each is a restore, a check and a wipe of a store, which takes a hundred times as long as other inputs.
        count: 100_000,
        check: BeastFuzz.importing
    )
}

/// Searches in an engine with some messages, and imports into one without any.
package enum BeastFuzz {
    /// A small export: two channels, messages of each kind, a place, an action, a file and what waits.
    static let export = """
        {"messagebeast":{"version":1,"account":"1","last_local_id":9}}
        {"channel":{"id":"100","kind":"private","type":"a.b","json":{"id":"100"},"query_params_json":{},"\
        full_sync_state":2,"newest_cursor":3}}
        {"channel":{"id":"200","kind":"action","type":"c.d","action_type":"favorite","target_channel_id":"100","\
        json":{"id":"200"},"query_params_json":{},"full_sync_state":0}}
        {"geolocation":{"lat_key":50123,"lon_key":8456,"locality":"Town","fetched_ms":1}}
        {"place":{"key":1,"id":"p","name":"Home","latitude":50.1,"longitude":8.4,"lat_key":50100,"lon_key":8400,"\
        is_custom":1,"sort_key":1,"json":{"name":"Home"}}}
        {"message":{"local_id":1,"id":"1","channel_id":"100","display_date_ms":1,"sort_key":1,"created_ms":1,"kind":"sent","\
        hidden":0,"json_version":1,"json":{"id":"1","text":"Café #Tea 日本語 Ａ","entities":{"hashtags":[{"name":"tea","pos":5,"\
        len":4}]}}}}
        {"message":{"local_id":2,"id":"t-1","channel_id":"100","display_date_ms":2,"sort_key":9,"created_ms":2,"\
        kind":"unsent","hidden":0,"client_token":"t-1","json_version":1,"json":{"text":"e\u{301}\u{316} a-b multi agent"}}}
        {"message":{"local_id":3,"id":"20","channel_id":"200","display_date_ms":3,"sort_key":20,"created_ms":3,"\
        kind":"sent","hidden":0,"json_version":1,"json":{"id":"20","machine_only":true,"\
        annotations":[{"type":"com.alwaysallthetime.action.target_message","value":{"id":"1"}}]}}}
        {"action_spec":{"action_local_id":3,"action_channel_id":"200","target_message_id":"1","target_channel_id":"100","\
        target_local_id":1}}
        {"pending_file":{"id":"f","staged_path":"f","type":"a.b","name":"n","mime":"m/n","is_public":0,"byte_count":3,"\
        sha256":"709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c","\
        token":"ft","state":"waiting","attempts":0,"next_attempt_ms":0}}
        {"staged_bytes":{"pending_file":"f","base64":"AAAA"}}
        {"pending_file_attachment":{"local_id":2,"position":0,"pending_file_id":"f","is_oembed":0}}
        {"outbox":{"local_id":2,"queue_seq":1,"state":"queued","attempts":0,"next_attempt_ms":0,"cancel_requested":0}}
        {"pending_message_deletion":{"message_id":"40","channel_id":"100","queue_seq":1,"claimed":0,"attempts":0,"\
        next_attempt_ms":0,"parked":0}}
        {"pending_file_deletion":{"file_id":"70","attempts":0,"next_attempt_ms":0}}
        {"retired_token":{"token":"dead","channel_id":"100","likeness":"aa","claimed_ms":1,"id":40,"is_missing":0}}
        {"deleted_id":{"id":40}}
        {"former_id":{"id":"t-0","local_id":2}}
        {"end":{"lines":18}}

        """

    private static let channel: AppNetChannel.ID = 100

    /// Any text is searched for without an error, and what is highlighted is in the message.
    package static func search(_ bytes: [UInt8]) async throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let manager = try await BeastFuzzEngines.shared.filled()
        for order in [SearchOrder.newestFirst, .rank] {
            do {
                for hit in try await manager.search(text: text, in: channel, order: order, limit: 10) {
                    _ = hit.snippet()
                }
                _ = try await manager.search(placeName: text, in: channel, limit: 10)
                _ = try await manager.places(matching: text, includesUnused: true, limit: 10)
                _ = try await manager.messages(in: channel, hashtag: text, limit: 10)
            } catch {
                throw FuzzFinding("a search for a text fails: \(error)")
            }
        }
    }

    /// A pattern is searched for, or refused as one.
    package static func pattern(_ bytes: [UInt8]) async throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let manager = try await BeastFuzzEngines.shared.filled()
        for order in [SearchOrder.newestFirst, .rank] {
            do {
                for hit in try await manager.search(pattern: text, in: channel, order: order, limit: 10) {
                    _ = hit.snippet()
                }
            } catch let error as MessageBeastError where error.kind == .invalidPattern {
            } catch {
                throw FuzzFinding("a pattern fails as something else: \(error)")
            }
        }
    }

    /// An import leaves a sound store, or an empty one and an error that names a line.
    package static func importing(_ bytes: [UInt8]) async throws {
        try await BeastFuzzEngines.shared.importing(bytes)
    }
}

/// The engines of all inputs: a new one for each would take most of the time.
private actor BeastFuzzEngines {
    static let shared = BeastFuzzEngines()

    private var searched: MessageManager?
    private var importer: MessageManager?
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("beast-fuzz-\(UUID().uuidString)")
        .path

    private func engine() throws -> MessageManager {
        var configuration = AppNetConfiguration(token: "token", baseURL: URL(string: "https://api.example.com"))
        configuration.environment.transport = FuzzPipeline.Nowhere()
        var derived = MessageManagerConfiguration()
        derived.isHashtagExtractionEnabled = true
        derived.isLocationLookupEnabled = true
        return try MessageManager(
            client: AppNetClient(configuration: configuration),
            account: 1,
            store: .memory,
            configuration: derived
        )
    }

    func filled() async throws -> MessageManager {
        if let searched { return searched }
        let manager = try engine()
        try Data(BeastFuzz.export.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await manager.restore(from: path)
        searched = manager
        return manager
    }

    func importing(_ bytes: [UInt8]) async throws {
        let manager = try importer ?? engine()
        importer = manager
        // No other input comes in between: each process has one at a time.
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try await manager.restore(from: path)
        } catch let error as MessageBeastError where [.invalidImport, .otherAccount].contains(error.kind) {
            guard try await manager.channels().isEmpty, try await manager.pendingSummary().isEmpty else {
                throw FuzzFinding("a refused import leaves something behind")
            }
            return
        } catch {
            throw FuzzFinding("an import fails as something else: \(error)")
        }
        let problems = try await manager.check().filter { !$0.hasSuffix("cannot be read") }
        guard problems.isEmpty else { throw FuzzFinding("an import leaves a damaged store: \(problems)") }
        try await manager.wipe()
    }
}
