import AppNet
import MessageBeast
import SimulationSupport

/// What messages have besides their text, for the look-ups.
enum Decoration {
    static let mood = "com.example.mood"
    static let place = "Harbour"

    /// A message with an annotation, a place, or neither.
    static func message(_ text: String, _ random: RandomSource) throws -> Message {
        var message = Message(text: text)
        switch random.below(4) {
        case 0: message.annotations = [Annotation(type: mood, value: ["mood": "good"])]
        case 1:
            try message.addLocation(
                CustomPlace(id: "harbour", place: Place(name: place, latitude: 53.54, longitude: 9.98))
            )
        default: break
        }
        return message
    }
}
