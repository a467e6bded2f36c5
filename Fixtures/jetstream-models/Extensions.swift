// Type-checked by a test: an extension that can't be a model, which the compiler reports.
import Jetstream

final class Plain {}

@Model // expected-error {{'extension' macro cannot be attached to extension}}
extension Plain {}
