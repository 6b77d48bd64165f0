import Combine
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// A client that uses all of Combine, with the types of Apple's Combine. The test is that this compiles: it is never
// run, and it uses only what `import Combine` gives.

private typealias P = PassthroughSubject<Int, Oops>
private typealias N = PassthroughSubject<Int, Never>
private typealias D = DispatchQueue

// MARK: Protocols and types

private func protocols<S: Subject<Int, Oops>>(
    publisher: some Publisher<Int, Oops>, subscriber: some Subscriber<Int, Oops>, subscription: some Subscription,
    subject: S, connectable: some ConnectablePublisher<Int, Oops>, cancellable: some Cancellable,
    scheduler: some Scheduler<DispatchQueue.SchedulerTimeType>, interval: some SchedulerTimeIntervalConvertible,
    identifiable: some CustomCombineIdentifierConvertible, encoder: some TopLevelEncoder, decoder: some TopLevelDecoder,
    observable: some ObservableObject
) {
    publisher.subscribe(subscriber)
    let _: AnyCancellable = publisher.subscribe(subject)
    publisher.receive(subscriber: subscriber)
    let _: Subscribers.Demand = subscriber.receive(1)
    subscriber.receive(subscription: subscription)
    subscriber.receive(completion: .failure(Oops()))
    subscription.request(.unlimited)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(subscription: subscription)
    let _: any Cancellable = connectable.connect()
    cancellable.cancel()
    scheduler.schedule {}
    scheduler.schedule(options: nil) {}
    scheduler.schedule(after: scheduler.now) {}
    scheduler.schedule(after: scheduler.now, tolerance: scheduler.minimumTolerance) {}
    scheduler.schedule(after: scheduler.now, tolerance: scheduler.minimumTolerance, options: nil) {}
    let _: any Cancellable = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) {}
    let _: any Cancellable = scheduler.schedule(after: scheduler.now, interval: .seconds(1), tolerance: .seconds(1)) {}
    let _: CombineIdentifier = identifiable.combineIdentifier
    _ = type(of: interval).microseconds(1)
    _ = type(of: interval).seconds(0.5)
}

private func types(subject: P, never: N) {
    let _: AnyPublisher<Int, Oops> = AnyPublisher(subject)
    let _: AnySubscriber<Int, Oops> = AnySubscriber(
        receiveSubscription: { _ in }, receiveValue: { _ in .none }, receiveCompletion: { _ in })
    let _: AnySubscriber<Int, Oops> = AnySubscriber(subject)
    let cancellable = AnyCancellable {}
    var set: Set<AnyCancellable> = []
    var array: [AnyCancellable] = []
    cancellable.store(in: &set)
    cancellable.store(in: &array)
    let _: CombineIdentifier = CombineIdentifier(cancellable)
    let _: CombineIdentifier = CombineIdentifier()
    let demand: Subscribers.Demand = .max(1) + .unlimited - .none
    let _: Int? = demand.max
    let _: Subscribers.Completion<Oops> = .failure(Oops())
    let _: Subscribers.Sink<Int, Oops> = .init(receiveCompletion: { _ in }, receiveValue: { _ in })
    let _: Subscribers.Assign<Model, Int> = .init(object: Model(), keyPath: \.number)
    let _: any Subscription = Subscriptions.empty
    let _: ImmediateScheduler = .shared
    let _: PassthroughSubject<Int, Oops> = .init()
    let current: CurrentValueSubject<Int, Oops> = .init(1)
    current.value = 2
    let _: Just<Int> = Just(1)
    let _: Empty<Int, Oops> = Empty(completeImmediately: false, outputType: Int.self, failureType: Oops.self)
    let _: Fail<Int, Oops> = Fail(outputType: Int.self, failure: Oops())
    let _: Future<Int, Oops> = Future { (promise: @escaping Future<Int, Oops>.Promise) in promise(.success(1)) }
    let _: Deferred<Just<Int>> = Deferred { Just(1) }
    let _: Record<Int, Oops> = Record(output: [1], completion: .finished)
    let _: Record<Int, Oops> = Record { (recording: inout Record<Int, Oops>.Recording) in recording.receive(1) }
    let _: Optional<Int>.Publisher = Int?.none.publisher
    let _: Result<Int, Oops>.Publisher = Result<Int, Oops>.success(1).publisher
    let _: Publishers.Sequence<[Int], Never> = [1].publisher
}

private final class Model: ObservableObject {
    @Published var number = 0

    func names() {
        let _: ObservableObjectPublisher = objectWillChange
        let _: Published<Int>.Publisher = $number
        N().assign(to: &$number)
    }
}

// MARK: Mapping

private func mapping(p: P, optional: PassthroughSubject<Int?, Oops>, pair: PassthroughSubject<Pair, Oops>, n: N) {
    let _: Publishers.Map<P, String> = p.map { "\($0)" }
    let _: Publishers.MapKeyPath<PassthroughSubject<Pair, Oops>, Int> = pair.map(\.a)
    let _: Publishers.MapKeyPath2<PassthroughSubject<Pair, Oops>, Int, Int> = pair.map(\.a, \.b)
    let _: Publishers.MapKeyPath3<PassthroughSubject<Pair, Oops>, Int, Int, Int> = pair.map(\.a, \.b, \.c)
    let _: Publishers.TryMap<P, String> = p.tryMap { "\($0)" }
    let _: Publishers.MapError<P, any Error> = p.mapError { $0 as any Error }
    let _: Publishers.Map<PassthroughSubject<Int?, Oops>, Int> = optional.replaceNil(with: 1)
    let _: Publishers.Scan<P, String> = p.scan("") { $0 + "\($1)" }
    let _: Publishers.TryScan<P, String> = p.tryScan("") { $0 + "\($1)" }
    let _: Publishers.SetFailureType<N, Oops> = n.setFailureType(to: Oops.self)
}

private struct Pair {
    var a = 1
    var b = 2
    var c = 3
}

// MARK: Filtering

private func filtering(p: P) {
    let _: Publishers.Filter<P> = p.filter { $0 > 1 }
    let _: Publishers.TryFilter<P> = p.tryFilter { $0 > 1 }
    let _: Publishers.CompactMap<P, String> = p.compactMap { String?("\($0)") }
    let _: Publishers.TryCompactMap<P, String> = p.tryCompactMap { String?("\($0)") }
    let _: Publishers.RemoveDuplicates<P> = p.removeDuplicates()
    let _: Publishers.RemoveDuplicates<P> = p.removeDuplicates { $0 == $1 }
    let _: Publishers.TryRemoveDuplicates<P> = p.tryRemoveDuplicates { $0 == $1 }
    let _: Publishers.ReplaceEmpty<P> = p.replaceEmpty(with: 1)
    let _: Publishers.ReplaceError<P> = p.replaceError(with: 1)
}

// MARK: Collecting, counting and matching

private func reducing(p: P) {
    let _: Publishers.Collect<P> = p.collect()
    let _: Publishers.CollectByCount<P> = p.collect(2)
    let _: Publishers.CollectByTime<P, D> = p.collect(.byTime(D.main, .seconds(1)))
    let _: Publishers.CollectByTime<P, D> = p.collect(.byTimeOrCount(D.main, .seconds(1), 2), options: .init())
    let _: Publishers.TimeGroupingStrategy<D> = .byTime(D.main, 1)
    let _: Publishers.IgnoreOutput<P> = p.ignoreOutput()
    let _: Publishers.Reduce<P, Int> = p.reduce(0, +)
    let _: Publishers.TryReduce<P, Int> = p.tryReduce(0) { $0 + $1 }
    let _: Publishers.Count<P> = p.count()
    let _: Publishers.Comparison<P> = p.max()
    let _: Publishers.Comparison<P> = p.min()
    let _: Publishers.Comparison<P> = p.max { $0 < $1 }
    let _: Publishers.Comparison<P> = p.min { $0 < $1 }
    let _: Publishers.TryComparison<P> = p.tryMax { $0 < $1 }
    let _: Publishers.TryComparison<P> = p.tryMin { $0 < $1 }
    let _: Publishers.Contains<P> = p.contains(1)
    let _: Publishers.ContainsWhere<P> = p.contains { $0 == 1 }
    let _: Publishers.TryContainsWhere<P> = p.tryContains { $0 == 1 }
    let _: Publishers.AllSatisfy<P> = p.allSatisfy { $0 == 1 }
    let _: Publishers.TryAllSatisfy<P> = p.tryAllSatisfy { $0 == 1 }
}

// MARK: Positions

private func positions(p: P, other: N) {
    let _: Publishers.DropUntilOutput<P, P> = p.drop(untilOutputFrom: P())
    let _: Publishers.Drop<P> = p.dropFirst()
    let _: Publishers.Drop<P> = p.dropFirst(2)
    let _: Publishers.DropWhile<P> = p.drop { $0 == 1 }
    let _: Publishers.TryDropWhile<P> = p.tryDrop { $0 == 1 }
    let _: Publishers.Concatenate<P, Publishers.Sequence<[Int], Oops>> = p.append(1, 2)
    let _: Publishers.Concatenate<P, Publishers.Sequence<[Int], Oops>> = p.append([1, 2])
    let _: Publishers.Concatenate<P, P> = p.append(P())
    let _: Publishers.Concatenate<Publishers.Sequence<[Int], Oops>, P> = p.prepend(1, 2)
    let _: Publishers.Concatenate<Publishers.Sequence<[Int], Oops>, P> = p.prepend([1, 2])
    let _: Publishers.Concatenate<P, P> = p.prepend(P())
    let _: Publishers.Output<P> = p.prefix(2)
    let _: Publishers.PrefixWhile<P> = p.prefix { $0 == 1 }
    let _: Publishers.TryPrefixWhile<P> = p.tryPrefix { $0 == 1 }
    let _: Publishers.PrefixUntilOutput<P, N> = p.prefix(untilOutputFrom: other)
    let _: Publishers.First<P> = p.first()
    let _: Publishers.FirstWhere<P> = p.first { $0 == 1 }
    let _: Publishers.TryFirstWhere<P> = p.tryFirst { $0 == 1 }
    let _: Publishers.Last<P> = p.last()
    let _: Publishers.LastWhere<P> = p.last { $0 == 1 }
    let _: Publishers.TryLastWhere<P> = p.tryLast { $0 == 1 }
    let _: Publishers.Output<P> = p.output(at: 1)
    let _: Publishers.Output<P> = p.output(in: 1...)
}

// MARK: Combining

private func combining(p: P) {
    let _: Publishers.CombineLatest<P, P> = p.combineLatest(p)
    let _: Publishers.CombineLatest3<P, P, P> = p.combineLatest(p, p)
    let _: Publishers.CombineLatest4<P, P, P, P> = p.combineLatest(p, p, p)
    let _: Publishers.Map<Publishers.CombineLatest<P, P>, Int> = p.combineLatest(p) { $0 + $1 }
    let _: Publishers.Map<Publishers.CombineLatest3<P, P, P>, Int> = p.combineLatest(p, p) { $0 + $1 + $2 }
    let _: Publishers.Map<Publishers.CombineLatest4<P, P, P, P>, Int> = p.combineLatest(p, p, p) { $0 + $1 + $2 + $3 }
    let _: Publishers.Merge<P, P> = p.merge(with: p)
    let _: Publishers.Merge3<P, P, P> = p.merge(with: p, p)
    let _: Publishers.Merge4<P, P, P, P> = p.merge(with: p, p, p)
    let _: Publishers.Merge5<P, P, P, P, P> = p.merge(with: p, p, p, p)
    let _: Publishers.Merge6<P, P, P, P, P, P> = p.merge(with: p, p, p, p, p)
    let _: Publishers.Merge7<P, P, P, P, P, P, P> = p.merge(with: p, p, p, p, p, p)
    let _: Publishers.Merge8<P, P, P, P, P, P, P, P> = p.merge(with: p, p, p, p, p, p, p)
    let _: Publishers.MergeMany<P> = p.merge(with: p)
    let _: Publishers.MergeMany<P> = Publishers.MergeMany([p, p])
    let _: Publishers.MergeMany<P> = Publishers.MergeMany(p, p)
    let _: Publishers.Zip<P, P> = p.zip(p)
    let _: Publishers.Zip3<P, P, P> = p.zip(p, p)
    let _: Publishers.Zip4<P, P, P, P> = p.zip(p, p, p)
    let _: Publishers.Map<Publishers.Zip<P, P>, Int> = p.zip(p) { $0 + $1 }
    let _: Publishers.Map<Publishers.Zip3<P, P, P>, Int> = p.zip(p, p) { $0 + $1 + $2 }
    let _: Publishers.Map<Publishers.Zip4<P, P, P, P>, Int> = p.zip(p, p, p) { $0 + $1 + $2 + $3 }
}

// MARK: Flattening and failing

private func flattening(p: P, n: N, publishers: PassthroughSubject<P, Oops>) {
    let _: Publishers.FlatMap<P, P> = p.flatMap { _ in P() }
    let _: Publishers.FlatMap<P, P> = p.flatMap(maxPublishers: .max(1)) { _ in P() }
    let _: Publishers.FlatMap<N, N> = n.flatMap { _ in N() }
    let _: Publishers.FlatMap<P, Publishers.SetFailureType<N, Oops>> = n.flatMap { _ in P() }
    let _: Publishers.FlatMap<Publishers.SetFailureType<N, Oops>, P> = p.flatMap { _ in N() }
    let _: Publishers.SwitchToLatest<P, PassthroughSubject<P, Oops>> = publishers.switchToLatest()
    let _: Publishers.AssertNoFailure<P> = p.assertNoFailure("prefix")
    let _: Publishers.Catch<P, N> = p.catch { _ in N() }
    let _: Publishers.TryCatch<P, N> = p.tryCatch { _ in N() }
    let _: Publishers.Retry<P> = p.retry(2)
}

// MARK: Time

private func time(p: P) {
    let _: Publishers.MeasureInterval<P, D> = p.measureInterval(using: D.main)
    let _: Publishers.Debounce<P, D> = p.debounce(for: .seconds(1), scheduler: D.main)
    let _: Publishers.Delay<P, D> = p.delay(for: .seconds(1), tolerance: .seconds(1), scheduler: D.main)
    let _: Publishers.Throttle<P, D> = p.throttle(for: .seconds(1), scheduler: D.main, latest: true)
    let _: Publishers.Timeout<P, D> = p.timeout(.seconds(1), scheduler: D.main) { Oops() }
    let _: Publishers.ReceiveOn<P, D> = p.receive(on: D.main)
    let _: Publishers.SubscribeOn<P, D> = p.subscribe(on: D.main)
    let _: Publishers.ReceiveOn<P, RunLoop> = p.receive(on: RunLoop.main, options: nil)
    let _: Publishers.ReceiveOn<P, OperationQueue> = p.receive(on: OperationQueue.main)
    let _: Publishers.ReceiveOn<P, ImmediateScheduler> = p.receive(on: ImmediateScheduler.shared)
}

// MARK: Coding

private func coding(p: P, data: PassthroughSubject<Data, Oops>) {
    let _: Publishers.Encode<P, JSONEncoder> = p.encode(encoder: JSONEncoder())
    let _: Publishers.Encode<P, PropertyListEncoder> = p.encode(encoder: PropertyListEncoder())
    let _: Publishers.Decode<PassthroughSubject<Data, Oops>, Int, JSONDecoder> = data.decode(
        type: Int.self, decoder: JSONDecoder())
    let _: Publishers.Decode<PassthroughSubject<Data, Oops>, Int, PropertyListDecoder> = data.decode(
        type: Int.self, decoder: PropertyListDecoder())
}

// MARK: Multicasting and buffering

private func sharing(p: P, n: N) {
    let _: Publishers.Multicast<P, P> = p.multicast { P() }
    let _: Publishers.Multicast<P, P> = p.multicast(subject: P())
    let _: Publishers.Share<P> = p.share()
    let _: Publishers.MakeConnectable<N> = n.makeConnectable()
    let _: Publishers.Autoconnect<Publishers.Multicast<P, P>> = p.multicast { P() }.autoconnect()
    let _: Publishers.Buffer<P> = p.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
    let _: Publishers.Buffer<P> = p.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
    let _: Publishers.Buffer<P> = p.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { Oops() })
    let _: Publishers.PrefetchStrategy = .keepFull
    let _: Publishers.BufferingStrategy<Oops> = .dropNewest
}

// MARK: Debugging and consuming

private func consuming(p: P, n: N, model: Model) async throws {
    let _: Publishers.HandleEvents<P> = p.handleEvents(
        receiveSubscription: { _ in }, receiveOutput: { _ in }, receiveCompletion: { _ in }, receiveCancel: {},
        receiveRequest: { _ in })
    let _: Publishers.Print<P> = p.print("prefix", to: nil)
    let _: Publishers.Breakpoint<P> = p.breakpoint(
        receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
    let _: Publishers.Breakpoint<P> = p.breakpointOnError()
    let _: AnyPublisher<Int, Oops> = p.eraseToAnyPublisher()
    let _: AnyCancellable = p.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let _: AnyCancellable = n.sink { _ in }
    let _: AnyCancellable = n.assign(to: \.number, on: model)
    let values: AsyncPublisher<N> = n.values
    for await _: Int in values {}
    let throwing: AsyncThrowingPublisher<P> = p.values
    for try await _: Int in throwing {}
    let _: Int = await Future<Int, Never> { $0(.success(1)) }.value
    let _: Int = try await Future<Int, Oops> { $0(.success(1)) }.value
}

// MARK: With Foundation and Dispatch

private func foundation(url: URL) {
    let _: DispatchQueue.SchedulerTimeType = D.main.now
    let _: DispatchQueue.SchedulerTimeType.Stride = .seconds(1)
    let _: DispatchQueue.SchedulerOptions = .init(qos: .default, flags: [], group: nil)
    let _: RunLoop.SchedulerTimeType = RunLoop.main.now
    let _: RunLoop.SchedulerTimeType.Stride = 1.5
    let _: RunLoop.SchedulerOptions? = nil
    let _: OperationQueue.SchedulerTimeType = OperationQueue.main.now
    let _: OperationQueue.SchedulerTimeType.Stride = .milliseconds(1)
    let _: OperationQueue.SchedulerOptions? = nil
    let _: NotificationCenter.Publisher = NotificationCenter.default.publisher(for: .init("name"), object: nil)
    let _: Timer.TimerPublisher = Timer.publish(
        every: 1, tolerance: nil, on: .main, in: .common, options: nil)
    let _: Publishers.Autoconnect<Timer.TimerPublisher> = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    let _: URLSession.DataTaskPublisher = URLSession.shared.dataTaskPublisher(for: url)
    let _: URLSession.DataTaskPublisher = URLSession.shared.dataTaskPublisher(for: URLRequest(url: url))
}
