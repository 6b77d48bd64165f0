import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// Tells when files in some folders may have changed, through editors that write in place, replace the file or write twice.
///
/// It costs nothing while nothing changes: Linux tells (inotify). Elsewhere there is a look every half second. Whether
/// the text is another one is for the reader of the file to say.
final class FileWatch {
    private let sources: [any DispatchSourceProtocol]

    init(_ folders: [URL], _ tell: @escaping @Sendable () -> Void) {
        // An editor that empties the file and then writes it is one save: what comes within a few milliseconds is reported once.
        let isDue = Flag()
        let tellOnce: @Sendable () -> Void = {
            let wasDue = isDue.value.withLock { due in
                defer { due = true }
                return due
            }
            if wasDue { return }
            Self.queue.asyncAfter(deadline: .now() + .milliseconds(8)) {
                isDue.value.withLock { $0 = false }
                tell()
            }
        }
        sources = Self.systemSources(folders, tellOnce) ?? [Self.timer(tell)]
        for source in sources { source.activate() }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    private static let queue = DispatchQueue(label: "file-watch", qos: .userInteractive)

    private static func timer(_ tell: @escaping @Sendable () -> Void) -> any DispatchSourceProtocol {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 0.5, repeating: 0.5, leeway: .milliseconds(100))
        timer.setEventHandler(handler: DispatchWorkItem(block: tell))
        return timer
    }

    #if os(Linux)
    /// One inotify queue for all the folders. A folder is watched and not the file in it: an editor that replaces the file
    /// leaves a watch on the file with the old one. The folder above tells when the folder itself is another one.
    private static func systemSources(
        _ folders: [URL], _ tell: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceProtocol]? {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let arrivals = UInt32(IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM)
        let changes = UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB) | arrivals
        let above = Set(folders.map { $0.deletingLastPathComponent().path })
        guard above.allSatisfy({ inotify_add_watch(descriptor, $0, arrivals) >= 0 }) else {
            close(descriptor)
            return nil
        }
        let paths = folders.map(\.path)
        // A folder that is watched already stays so; one that took its place is watched from here on.
        let watch: @Sendable () -> Void = { for path in paths { _ = inotify_add_watch(descriptor, path, changes) } }
        watch()
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var events = [UInt8](repeating: 0, count: 16_384)
            var wasReported = false
            while read(descriptor, &events, events.count) > 0 { wasReported = true }
            guard wasReported else { return }
            watch()
            tell()
        }
        source.setCancelHandler { close(descriptor) }
        return [source]
    }
    #else
    private static func systemSources(
        _ folders: [URL], _ tell: @escaping @Sendable () -> Void
    ) -> [any DispatchSourceProtocol]? { nil }
    #endif
}

private final class Flag: Sendable {
    let value = Mutex(false)
}
