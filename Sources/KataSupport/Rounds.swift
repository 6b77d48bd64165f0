/// Thousands of rounds take most answers a fraction of a second. An answer that starts a thread for each result needs seconds
/// for them, and would be stopped.
///
/// The numbers of the rounds, from 0: as many as are wanted, but no further one once the process has used so much processor
/// time for them.
///
///     for _ in KataSupport.rounds(160) { … }
public func rounds(_ most: Int, processorSeconds: Double = 0.6) -> some Sequence<Int> {
    let start = ProcessActivity.processorSeconds
    return (0..<most).lazy.prefix { $0 == 0 || ProcessActivity.processorSeconds - start < processorSeconds }
}
