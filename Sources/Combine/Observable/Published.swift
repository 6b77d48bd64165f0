/// A property whose changes can be subscribed to: `$name` is a publisher of its values, each before it is set.
@propertyWrapper
public struct Published<Value> {
    /// What is known of the property. It is shared with the object's `objectWillChange`, which is found by reflection
    /// and can only reach what is not a value.
    final class Storage {
        private let lock = Lock()
        private var value: Value
        private var subject: PublishedSubject<Value>?
        private var changes: ObservableObjectPublisher?

        init(_ value: Value) {
            self.value = value
        }

        var publisher: PublishedSubject<Value> {
            lock {
                if let subject { return subject }
                let made = PublishedSubject(value)
                made.objectWillChange = changes
                subject = made
                return made
            }
        }

        var current: Value {
            get {
                let (value, subject) = lock { (self.value, self.subject) }
                return subject?.value ?? value
            }
            set {
                let (subject, changes) = lock { (self.subject, self.changes) }
                if let subject {
                    subject.send(newValue)
                    return
                }
                changes?.send()
                // An observer of the change may have subscribed to the property.
                let (late, _) = lock { (self.subject, exchange(&value, with: newValue)) }
                late?.send(newValue)
            }
        }

        var objectWillChange: ObservableObjectPublisher? {
            get { lock { changes } }
            set {
                let subject = lock {
                    changes = newValue
                    return self.subject
                }
                subject?.objectWillChange = newValue
            }
        }
    }

    let storage: Storage

    /// A property that begins with this value.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// A property that begins with this value.
    public init(wrappedValue: Value) {
        storage = Storage(wrappedValue)
    }

    /// A publisher of the property's values: the present one first, then each before it is set.
    public var projectedValue: Publisher {
        mutating get { Publisher(subject: storage.publisher) }
        // It is there for `assign(to: &$name)`: a property keeps its own publisher, whatever it is assigned.
        set {}
    }

    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { fatalError("@Published is only available on properties of classes.") }
        set { fatalError("@Published is only available on properties of classes.") }
    }

    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.current }
        set { object[keyPath: storageKeyPath].storage.current = newValue }
    }

    /// A publisher of a property's values.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Value
        public typealias Failure = Never

        let subject: PublishedSubject<Value>

        public func receive<S>(subscriber: S) where S: Subscriber, Value == S.Input, S.Failure == Never {
            subject.subscribe(subscriber)
        }
    }
}

extension Published: PublishedProperty {
    var objectWillChange: ObservableObjectPublisher? {
        get { storage.objectWillChange }
        nonmutating set { storage.objectWillChange = newValue }
    }
}
