import Testing

@testable import Combine

@Suite("zip, as a state machine")
struct ZipStateMachineTests {
    @Test func `all upstreams are asked for what downstream asks`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .none)
        #expect(zip.request(.max(2)) == .all(.max(2)))
    }

    @Test func `an upstream that comes late is asked for what is still wanted`() {
        let zip = DrivenMultiUpstream(.zip)
        #expect(zip.connect(0) == .some(.none))
        _ = zip.open()
        _ = zip.request(.max(2))
        #expect(zip.connect(1) == .max(2))
    }

    @Test func `a value of each makes a combination`() {
        let zip = DrivenMultiUpstream(connected: .zip, upstreams: 3, demand: .unlimited)
        #expect(zip.value(from: 2) == .keep)
        #expect(zip.next() == .rest)
        #expect(zip.value(from: 0) == .keep)
        #expect(zip.next() == .rest)
        #expect(zip.value(from: 1) == .keep)
        #expect(zip.next() == .sendCombination)
        #expect(zip.didSend() == .none)
        #expect(zip.next() == .rest)
    }

    @Test func `further values wait for those of the others`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .unlimited)
        for _ in 0..<2 {
            _ = zip.value(from: 0)
            #expect(zip.next() == .rest)
        }
        for _ in 0..<2 {
            _ = zip.value(from: 1)
            #expect(zip.next() == .sendCombination)
            _ = zip.didSend()
            #expect(zip.next() == .rest)
        }
    }

    @Test func `what a combination asks for more is asked of all, and of its last upstream by what the call returns`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .max(1))
        _ = zip.value(from: 0)
        _ = zip.value(from: 1)
        #expect(zip.next() == .sendCombination)
        #expect(zip.didSend(more: .max(1)) == .all(.max(1)))
        #expect(zip.next() == .rest)
        #expect(zip.returned == .max(1))
    }

    @Test func `upstreams that send more than they were asked for: combinations go down without demand`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .none)
        _ = zip.value(from: 0)
        _ = zip.value(from: 1)
        #expect(zip.next() == .sendCombination)
    }

    @Test func `values that came before downstream has its subscription go down behind it`() {
        let zip = DrivenMultiUpstream(.zip)
        _ = zip.connect(0)
        _ = zip.connect(1)
        #expect(zip.value(from: 0) == .keep)
        #expect(zip.value(from: 1) == .keep)
        #expect(zip.next() == .rest)
        #expect(zip.open() == .sendCombination)
    }

    @Test func `while another thread has the turn, combinations wait for that one`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .unlimited)
        _ = zip.value(from: 0, on: 1)
        _ = zip.value(from: 1, on: 1)
        #expect(zip.next() == .sendCombination)
        let first = zip.call
        _ = zip.value(from: 0, on: 2)
        _ = zip.value(from: 1, on: 2)
        #expect(zip.next() == .rest)
        zip.call = first
        _ = zip.didSend()
        #expect(zip.next() == .sendCombination)
    }

    // MARK: The end

    @Test func `it ends when one that has finished has no value left, and the others are cancelled`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .unlimited)
        _ = zip.value(from: 0)
        #expect(zip.finish(0) == .rest)
        _ = zip.value(from: 1)
        #expect(zip.next() == .sendCombination)
        _ = zip.didSend()
        #expect(zip.next() == zip.end(cancelling: 1))
    }

    @Test func `one that finishes without a value ends it`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .unlimited)
        _ = zip.value(from: 0)
        #expect(zip.finish(1) == zip.end(cancelling: 0))
    }

    @Test func `a failure ends it at once, and as with Apple's also the one that failed is cancelled`() {
        let zip = DrivenMultiUpstream(connected: .zip, demand: .unlimited)
        #expect(zip.fail(0) == zip.end(cancelling: 0, 1))
    }

    @Test func `a failure that comes before downstream has its subscription waits for that`() {
        let zip = DrivenMultiUpstream(.zip)
        _ = zip.connect(0)
        #expect(zip.fail(0) == .rest)
        #expect(zip.connect(1) == nil)
        #expect(zip.open() == zip.end(cancelling: 0))
    }
}
