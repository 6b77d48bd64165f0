// Dispatch keeps values by the address of their key and does not retain the key: another key that comes to lie there reads
// the value as one of its own type.
import Dispatch

public final class DispatchSpecificKey<T>: @unchecked Sendable {  // immutable
    fileprivate let key = Dispatch.DispatchSpecificKey<Entry>()

    public init() {}
}

private class Entry {
    private let key: Dispatch.DispatchSpecificKey<Entry>

    init(_ key: Dispatch.DispatchSpecificKey<Entry>) { self.key = key }
}

private final class Value<T>: Entry {
    let value: T

    init(_ value: T, _ key: Dispatch.DispatchSpecificKey<Entry>) {
        self.value = value
        super.init(key)
    }
}

extension DispatchQueue {
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
        setSpecific(key: key.key, value: value.map { Value($0, key.key) })
    }

    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        (getSpecific(key: key.key) as? Value<T>)?.value
    }

    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
        (getSpecific(key: key.key) as? Value<T>)?.value
    }
}
