// Prints how many nanoseconds a value takes through each of these chains. Build it in release mode:
//     swift run -c release CombineBenchmark
import Combine

/// Sends values into a subject for as long as the chain that it feeds is there.
func feed(_ name: String, _ chain: @escaping (PassthroughSubject<Int, Never>) -> AnyCancellable) -> Measurement {
    Measurement(name) { count in
        let subject = PassthroughSubject<Int, Never>()
        let subscription = chain(subject)
        for value in 0..<count {
            subject.send(value)
        }
        subscription.cancel()
    }
}

struct Failed: Error {}

nonisolated(unsafe) var sum = 0

let measurements: [() -> Measurement] = [
    { feed("subject to sink") { $0.sink { sum &+= $0 } } },
    { feed("map and filter") { $0.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.sink { sum &+= $0 } } },
    {
        Measurement("sequence through three maps") { count in
            (0..<count).publisher.map { $0 &+ 1 }.map { $0 &* 3 }.map { $0 &- 1 }.sink { sum &+= $0 }.cancel()
        }
    },
    {
        feed("three type erasures") {
            $0.eraseToAnyPublisher().map { $0 &+ 1 }.eraseToAnyPublisher().map { $0 &+ 1 }.eraseToAnyPublisher()
                .sink { sum &+= $0 }
        }
    },
    { feed("removeDuplicates and scan") { $0.removeDuplicates().scan(0, &+).sink { sum &+= $0 } } },
    {
        feed("fan-out to 8") { subject in
            let all = (0..<8).map { _ in subject.sink { sum &+= $0 } }
            return AnyCancellable { all.forEach { $0.cancel() } }
        }
    },
    { feed("flatMap to Just") { $0.flatMap { Just($0) }.sink { sum &+= $0 } } },
    {
        feed("tryMap and catch") {
            $0.tryMap { value -> Int in
                if value < 0 { throw Failed() }
                return value
            }.catch { _ in Just(0) }.sink { sum &+= $0 }
        }
    },
    {
        feed("buffer") {
            $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest).sink { sum &+= $0 }
        }
    },
    {
        Measurement("subscribe and cancel a chain of three stages", values: 100_000) { count in
            let subject = PassthroughSubject<Int, Never>()
            for _ in 0..<count {
                subject.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0, &+).sink { sum &+= $0 }.cancel()
            }
        }
    },
]

for measure in measurements {
    print(measure().line)
}
