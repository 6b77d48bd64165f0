// Compiled twice, as `Names.swift` is.
import Glibc

final class Guarded {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t> = .allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var number = 0

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(repeating: pthread_cond_t(), count: 1)
        mutex.pointee = pthread_mutex_t()
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        print(pthread_mutex_destroy(mutex), pthread_cond_destroy(condition))
        mutex.deinitialize(count: 1).deallocate()
        condition.deinitialize(count: 1)
        condition.deallocate()
    }

    func next() -> Int {
        pthread_mutex_lock(&mutex.pointee)
        defer { pthread_mutex_unlock(mutex) }
        number += 1
        return number
    }

    func tries() -> [Int32] {
        var past = timespec()
        return [
            pthread_mutex_trylock(mutex), pthread_mutex_trylock(&mutex.pointee),
            pthread_cond_timedwait(condition, mutex, &past), pthread_cond_signal(condition),
            pthread_mutex_unlock(mutex),
        ]
    }
}

@main struct Program {
    static func main() {
        let guarded = Guarded()
        print(guarded.next(), guarded.next(), guarded.tries())
    }
}
