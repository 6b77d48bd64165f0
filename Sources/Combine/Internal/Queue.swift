/// First in, first out, without moving what remains.
struct Queue<Element>: Sequence {
    private var storage: ContiguousArray<Element?> = []
    private var head = 0

    var isEmpty: Bool { head == storage.count }

    var count: Int { storage.count - head }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let first = storage[head].take()
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return first
    }

    func makeIterator() -> AnyIterator<Element> {
        var rest = storage[head...].makeIterator()
        return AnyIterator { rest.next() ?? nil }
    }
}
