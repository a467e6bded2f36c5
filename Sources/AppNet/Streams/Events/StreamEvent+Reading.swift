package import Foundation
internal import HeliumJSON

extension StreamEvent {
    /// Decodes a frame.
    ///
    /// - Throws: `DecodingError` if the frame is invalid, or if its data does not match its type.
    package init(frame: Data, dialect: AppNetDialect) throws {
        var envelope = try frame.repairedIfNeeded { try HeliumJSONDecoder().decode(Envelope<JSONValue>.self, from: $0) }
        if dialect == .pnut, var meta = envelope.meta {
            PnutTypes.translateToAppNet(&meta)
            envelope.meta = meta
        }
        if let control = envelope.extra["control"] {
            self.init(subject: .control(control), meta: envelope.meta ?? ResponseMeta())
            return
        }
        let meta = envelope.meta ?? ResponseMeta()
        guard var data = envelope.data else {
            self.init(subject: .other(nil), meta: meta)
            return
        }
        if dialect == .pnut { data = try EventContent.translate(data, type: meta.type, .toAppNet) }
        self.init(subject: Subject(try EventData(data, type: meta.type), type: meta.type), meta: meta)
    }
}

extension StreamEvent.Subject {
    fileprivate init(_ data: EventData, type: String?) {
        self =
            switch data {
            case .messages(let values): .messages(values)
            case .channels(let values): .channels(values)
            case .users(let values): .users(values)
            case .files(let values): .files(values)
            case .posts(let values): .posts(values)
            case .tokens(let values): .tokens(values)
            case .subjects(let subjects): Self(subjects, type: type ?? "")
            case .other(let value): .other(value)
            }
    }

    private init(_ subjects: EventSubjects, type: String) {
        switch StreamEvent.Kind(rawValue: type.isSlowToCompare ? "" : type) {
        case .userFollow, .follow: self = .follow(of: subjects.followsUser ?? subjects.followedUser, by: subjects.user)
        case .mute: self = .mute(of: subjects.mutedUser, by: subjects.user)
        case .block: self = .block(of: subjects.blockedUser, by: subjects.user)
        case .streamMarker: self = .streamMarker(subjects.marker, of: subjects.user)
        case .channelSubscription: self = .channelSubscription(subjects.channel, by: subjects.user)
        default: self = .star(subjects.post, by: subjects.user)
        }
    }
}
