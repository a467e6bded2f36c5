// Type-checked by a test: a model in a type that is private to another type.
import Jetstream

enum Scene {
    private enum Part {
        @Model
        final class Shape {} // expected-error {{a model can't be declared in 'Part', which is private to its type; use 'fileprivate' there}}
    }
}
