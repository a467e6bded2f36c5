// Former names. They are unavailable instead of deprecated: a deprecated alias takes part in the lookup of its name, so that a
// file that also imports NIOCore could not write `Channel`, nor one that also imports Cosm `User`.

/// The former name of ``AppNetChannel``.
@available(*, unavailable, renamed: "AppNetChannel")
public typealias Channel = AppNetChannel

/// The former name of ``AppNetUser``.
@available(*, unavailable, renamed: "AppNetUser")
public typealias User = AppNetUser
