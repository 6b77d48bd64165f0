protocol ValueSlot: AnyObject {
    func removeAll()
}

/// The values of one upstream that are combined with those of the others, in a ring that grows. It has all that are not
/// used yet, or only the latest.
final class Slot<Value>: ValueSlot {
    private let hasOnlyLatest: Bool
    private var ring = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    private var mask = 0
    private var head = 0
    private var count = 0

    init(hasOnlyLatest: Bool = false) {
        self.hasOnlyLatest = hasOnlyLatest
    }

    deinit {
        removeAll()
        ring.deallocate()
    }

    /// Takes the value, and leaves in its place the one which that replaced, if it did.
    func store(_ value: inout Value) {
        if hasOnlyLatest, count == 1 {
            swap(&ring.pointee, &value)
            return
        }
        if count > mask {
            grow()
        }
        (ring + ((head + count) & mask)).initialize(to: value)
        count += 1
    }

    /// There is one: the state machine counts them.
    var first: Value {
        precondition(count > 0, "There is no value.")
        return ring[head]
    }

    /// There is one: the state machine counts them.
    func removeFirst() -> Value {
        precondition(count > 0, "There is no value.")
        let first = ring + head
        head = (head + 1) & mask
        count -= 1
        return first.move()
    }

    func removeAll() {
        while count > 0 {
            _ = removeFirst()
        }
    }

    private func grow() {
        let grown = UnsafeMutablePointer<Value>.allocate(capacity: count * 2)
        let upToEnd = count - head
        grown.moveInitialize(from: ring + head, count: upToEnd)
        (grown + upToEnd).moveInitialize(from: ring, count: head)
        ring.deallocate()
        ring = grown
        mask = count * 2 - 1
        head = 0
    }
}
