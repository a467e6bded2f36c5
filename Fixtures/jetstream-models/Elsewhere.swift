// Type-checked by a test: a model whose author wrote the conformance in an extension.
import Jetstream

@Model
final class Shape {} // expected-error {{'@Model' adds the conformance to 'ModelObject'; remove the extension that makes 'Shape' conform}}

extension Shape: ModelObject {}
