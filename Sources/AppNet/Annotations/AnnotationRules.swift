internal import HeliumJSON

/// The rules for annotations that can be checked before sending (Docs/Protocols/AppNet.md §4.1, §4.3).
package enum AnnotationRules {
    /// The kind of object that has the annotations.
    package enum Holder: Hashable, Sendable {
        /// A post.
        case post
        /// A message in a channel of the given type.
        case message(channelType: AppNetChannel.Kind?)
        /// A channel of the given type.
        case channel(AppNetChannel.Kind?)
        /// A user.
        case user
        /// A file.
        case file

        /// Whether annotations can be changed. In this case each type can occur only once.
        var isMutable: Bool {
            switch self {
            case .post, .message: false
            case .channel, .user, .file: true
            }
        }

        var isBroadcast: Bool {
            switch self {
            case .message(let type), .channel(let type): type == .broadcast
            default: false
            }
        }
    }

    /// The default for the maximum size of an object's annotations, in bytes. It applies if the configuration has no
    /// limit.
    package static let maximumBytes = 8192

    /// Returns the size of annotations in bytes, as compact JSON in UTF-8.
    package static func byteCount(of annotations: [Annotation]) -> Int {
        JSONValue.array(
            annotations.map { annotation in
                var object: JSONObject = ["type": .string(annotation.type)]
                object["value"] = annotation.value
                return .object(object)
            }
        ).data().count
    }

    /// Checks annotations before they are sent.
    ///
    /// - Throws: ``RuleViolation`` for the first rule of the service that the value breaks.
    package static func validate(
        _ annotations: [Annotation],
        on holder: Holder,
        maximumBytes: Int = AnnotationRules.maximumBytes
    ) throws(RuleViolation) {
        var types: Set<ByteText> = []
        for (index, annotation) in annotations.enumerated() {
            let member = "annotations[\(index)]"
            if annotation.type.isEmpty { throw RuleViolation(member: "\(member).type", problem: .missing) }
            if !types.insert(annotation.type), holder.isMutable {
                throw RuleViolation(member: member, problem: .notAllowed("the type \(annotation.type) occurs twice"))
            }
            try validate(annotation, member, on: holder)
        }
        let count = byteCount(of: annotations)
        if count > maximumBytes {
            throw RuleViolation(
                member: "annotations",
                problem: .tooLong(count, maximum: maximumBytes, unit: "bytes")
            )
        }
    }

    private static func validate(
        _ annotation: Annotation,
        _ member: String,
        on holder: Holder
    ) throws(RuleViolation) {
        guard let value = annotation.value else {
            if holder.isMutable { return }
            throw RuleViolation(member: "\(member).value", problem: .missing)
        }
        guard case .object(let object) = value else {
            throw RuleViolation(member: "\(member).value", problem: .invalid("it is not an object"))
        }
        try ReplacementRules.validate(value, in: annotation.type, at: "\(member).value")
        guard annotation.type.hasBytePrefix("net.app.core.") else { return }
        guard annotation.type.isASCII, let schema = CoreSchema.all[annotation.type] else {
            throw RuleViolation(
                member: "\(member).type",
                problem: .notAllowed("\(annotation.type) is not a known type")
            )
        }
        if schema.isReadOnly || annotation.type == FallbackURL.annotationType && holder.isBroadcast {
            throw RuleViolation(member: member, problem: .notAllowed("\(annotation.type) is read-only"))
        }
        if let isBroadcast = schema.isOnBroadcasts, isBroadcast != holder.isBroadcast {
            let reason = "\(annotation.type) is \(isBroadcast ? "for broadcasts only" : "not for broadcasts")"
            throw RuleViolation(member: member, problem: .notAllowed(reason))
        }
        try schema.validate(object, at: "\(member).value")
    }
}
