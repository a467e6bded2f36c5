/// The objects of the handles of a pool, by their indices.
struct HandleTable<Element: AnyObject> {
    private var elements: ContiguousArray<Element?> = []

    func get(_ index: Int32) -> Element? {
        elements.indices.contains(Int(index)) ? elements[Int(index)] : nil
    }

    mutating func set(_ index: Int32, _ element: Element?) {
        while elements.count <= Int(index) { elements.append(nil) }
        elements[Int(index)] = element
    }
}
