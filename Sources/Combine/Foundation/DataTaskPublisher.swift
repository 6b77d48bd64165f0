import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A publisher of what the server answers to a request for this address.
    public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
        dataTaskPublisher(for: URLRequest(url: url))
    }

    /// A publisher of what the server answers to this request.
    public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
        DataTaskPublisher(request: request, session: self)
    }

    /// Sends a request for each subscriber that wants an answer, and publishes the answer.
    public struct DataTaskPublisher: Publisher {
        public typealias Output = (data: Data, response: URLResponse)
        public typealias Failure = URLError

        /// What is asked.
        public let request: URLRequest

        /// Where it is asked.
        public let session: URLSession

        public init(request: URLRequest, session: URLSession) {
            self.request = request
            self.session = session
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            subscriber.receive(subscription: Exchange(self, subscriber))
        }
    }
}

extension URLSession.DataTaskPublisher {
    /// One subscriber's request, which is sent when there is demand.
    private final class Exchange<Downstream: Subscriber>: Subscription, StageDescription
    where Downstream.Input == (data: Data, response: URLResponse), Downstream.Failure == URLError {
        private let lock = Lock()
        private var parent: URLSession.DataTaskPublisher?
        private var downstream: Downstream?
        private var task: URLSessionDataTask?
        private var demand = Subscribers.Demand.none

        init(_ parent: URLSession.DataTaskPublisher, _ downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
        }

        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            let (parent, begun) = lock {
                self.demand += demand
                return (self.parent, self.task)
            }
            // As Apple's does; to resume a task that runs changes nothing.
            begun?.resume()
            guard let parent, begun == nil else { return }
            let created = parent.session.dataTask(with: parent.request) { data, response, error in
                self.answered(data, response, error)
            }
            // Two requests at once create two tasks; one of them is never begun.
            lock.lock()
            let isWanted = task == nil && self.parent != nil
            if isWanted { task = created }
            lock.unlock()
            if isWanted { created.resume() } else { created.cancel() }
        }

        private func answered(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
            guard let downstream = lock({ releaseLocked() }).1 else { return }
            switch (data, response, error) {
            case (let data, .some(let response), nil):
                _ = downstream.receive((data ?? Data(), response))
                downstream.receive(completion: .finished)
            case (_, _, let error as URLError):
                downstream.receive(completion: .failure(error))
            default:
                downstream.receive(completion: .failure(URLError(.unknown)))
            }
        }

        func cancel() {
            lock { releaseLocked() }.0?.cancel()
        }

        /// Empties the subscription. The caller lets go of what it held outside of the lock.
        private func releaseLocked() -> (URLSessionDataTask?, Downstream?, URLSession.DataTaskPublisher?) {
            (task.take(), downstream.take(), parent.take())
        }

        var description: String { "DataTaskPublisher" }

        var mirrorChildren: [Mirror.Child] {
            let (task, downstream, parent, demand) = lock { (self.task, self.downstream, self.parent, self.demand) }
            return [
                ("task", task as Any), ("downstream", downstream as Any), ("parent", parent as Any),
                ("demand", demand),
            ]
        }
    }
}
