// Type-checked by a test: a protocol that can't be a model.
import Jetstream

@Model
protocol Drawable {} // expected-error {{'@Model' needs a class, but 'Drawable' is a protocol}}
