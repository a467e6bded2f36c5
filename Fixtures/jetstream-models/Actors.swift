// Type-checked by a test: an actor that is not named by its type.
import Jetstream

@globalActor
actor Studio {
    static let shared = Studio()
}

let studio = Studio.self

@Model(on: studio) // expected-error {{'on:' needs the type of a global actor, such as 'MainActor.self'}}
final class Track {}
