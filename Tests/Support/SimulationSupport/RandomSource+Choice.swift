package import HeliumCore

extension RandomSource {
    /// A number in 0 ..< `bound`.
    package func below(_ bound: Int) -> Int { Int(bits() % UInt64(bound)) }

    /// One of `elements`, each as likely as its share among those of all. There must be one with a share above 0.
    package func pick<Element>(_ elements: [Element], by share: KeyPath<Element, Int>) -> Element {
        var rest = below(elements.reduce(0) { $0 + $1[keyPath: share] })
        for element in elements {
            if rest < element[keyPath: share] { return element }
            rest -= element[keyPath: share]
        }
        return elements[0]
    }
}
