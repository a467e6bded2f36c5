// Type-checked by a test: declarations that can't be models.
import Jetstream

@Model
struct Shape { // expected-error {{'@Model' needs a class, but 'Shape' is a struct}}
// expected-note@-1 {{replace 'struct' with 'final class'}} {{1-7=final class}}
    var x = 0
}

@Model
enum Choice {} // expected-error {{'@Model' needs a class, but 'Choice' is an enum}}

@Model
actor Worker { // expected-error {{'@Model' needs a class, but 'Worker' is an actor}}
    @Local var x = 0
}

@Model
@Model // expected-error {{'@Model' is already applied to this class}}
// expected-note@-1 {{remove '@Model'}} {{1-8=}}
final class Twice {}

@Model
final class Box<Value> {} // expected-error {{a model can't be generic: 'Box' has one class name and one list of properties on the wire}}

struct Outer<Value> {
    @Model
    final class Inner {} // expected-error {{a model can't be declared in the generic type 'Outer', which makes it generic too}}
}

enum Scene {
    @Model
    private final class Hidden {} // expected-error {{a model in a type can't be 'private': its conformance is written outside of that type}}
    // expected-note@-1 {{replace 'private' with 'fileprivate'}} {{5-12=fileprivate}}
}

@Model
final class Written: ModelObject {} // expected-error {{'@Model' adds the conformance to 'ModelObject'; remove the one that is written here}}

@Model(on: Studio.self) // expected-error {{'on:' repeats the class's global actor, which is missing; add '@Studio' to the class}}
// expected-note@-1 {{add '@Studio'}} {{1-1=@Studio }}
final class Track {}

@MainActor
@Model(on: MainActor.self) // expected-error {{the class already has the attribute '@MainActor'; remove 'on:'}}
final class Window {}

@Model
@ClassName("") // expected-error {{the name in '@ClassName' is empty}}
final class Nameless {}

@Model
@ClassName("Sketch.Line") // expected-error {{a class name on the wire can't contain '.', which separates it from a procedure's name}}
final class Line {}

let name = "Other"

@Model
@ClassName(name) // expected-error {{'@ClassName' needs a string literal without interpolation}}
final class Named {}

@ClassName("Other") // expected-error {{'@ClassName' has no effect on a class without '@Model'}}
// expected-note@-1 {{remove '@ClassName("Other")'}} {{1-21=}}
final class Plain {}

@Model
final class Unidentified {
    init(uuid: ModelID) {} // expected-error {{call 'modelNode.identify(uuid)' in 'init(uuid:)', or leave the initializer out: '@Model' makes one}}
}

@globalActor
actor Studio {
    static let shared = Studio()
}
