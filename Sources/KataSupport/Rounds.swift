/// Thousands of rounds take most answers a fraction of a second. An answer that starts a thread for each result needs seconds
/// for them, and would be stopped. So would a right answer on a machine that is busy with something else, where two threads
/// seldom run at the same time.
///
/// The numbers of the rounds, from 0: as many as are wanted, but no further one once the process has used so much processor
/// time for them, or two seconds have passed.
///
///     for _ in KataSupport.rounds(160) { … }
public func rounds(_ most: Int, processorSeconds: Double = 0.6) -> some Sequence<Int> {
    let start = ProcessActivity.processorSeconds
    let end = ContinuousClock.now + .seconds(2)
    return (0..<most).lazy.prefix {
        $0 == 0 || ProcessActivity.processorSeconds - start < processorSeconds && ContinuousClock.now < end
    }
}
