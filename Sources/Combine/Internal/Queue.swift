/// First in, first out, without moving what remains.
@usableFromInline
struct Queue<Element>: Sequence {
    @usableFromInline var storage: ContiguousArray<Element?> = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { head == storage.count }

    @inlinable
    var count: Int { storage.count - head }

    @inlinable
    mutating func append(_ element: Element) {
        storage.append(element)
    }

    @inlinable
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

    @inlinable
    func makeIterator() -> AnyIterator<Element> {
        var rest = storage[head...].makeIterator()
        return AnyIterator { rest.next() ?? nil }
    }
}
