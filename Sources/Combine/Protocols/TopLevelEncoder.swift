/// An encoder that turns a whole value into a document, whatever the format.
public protocol TopLevelEncoder {
    /// The document's type.
    associatedtype Output

    /// Encodes the value as a document of its own.
    func encode<T>(_ value: T) throws -> Output where T: Encodable
}
