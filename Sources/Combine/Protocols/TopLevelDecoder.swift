/// A decoder that reads a whole value from a document, whatever the format.
public protocol TopLevelDecoder {
    /// The document's type.
    associatedtype Input

    /// Decodes one value from the whole document.
    func decode<T>(_ type: T.Type, from: Input) throws -> T where T: Decodable
}
