/// An object whose observers must know before any of it changes.
public protocol ObservableObject: AnyObject {
    /// The type of the publisher that sends before the object changes.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never

    /// Sends before the object changes.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Sends before any `@Published` property of the object changes.
    ///
    /// The publisher is kept by the published properties, as the object has no other place for it.
    public var objectWillChange: ObservableObjectPublisher {
        var published: [any PublishedProperty] = []
        var mirror: Mirror? = Mirror(reflecting: self)
        while let level = mirror {
            for child in level.children {
                guard let property = child.value as? any PublishedProperty else { continue }
                if let installed = property.objectWillChange {
                    return installed
                }
                published.append(property)
            }
            mirror = level.superclassMirror
        }
        let publisher = ObservableObjectPublisher()
        for property in published {
            property.objectWillChange = publisher
        }
        return published.first?.objectWillChange ?? publisher
    }
}

/// A `@Published` property of any type, as its object sees it.
protocol PublishedProperty {
    var objectWillChange: ObservableObjectPublisher? { get nonmutating set }
}
