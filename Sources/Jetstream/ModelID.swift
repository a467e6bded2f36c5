public import Foundation

/// The identifier of a model object: a UUID, which the wire has in lower case.
///
/// The name is for expansions of ``Model()``, which can't name what Foundation declares in files that don't import it.
public typealias ModelID = UUID
