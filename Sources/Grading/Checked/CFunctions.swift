// C takes addresses, and an array for an address however short it is. These take a variable of the type, or a text.
import Glibc

/// What `nil` is where C may be given no address.
public enum NoAddress {}

@discardableResult public func clock_gettime(_ clock: clockid_t, _ time: inout timespec) -> Int32 {
    Glibc.clock_gettime(clock, &time)
}
@discardableResult public func clock_getres(_ clock: clockid_t, _ time: inout timespec) -> Int32 {
    Glibc.clock_getres(clock, &time)
}
@discardableResult public func gettimeofday(_ time: inout timeval, _ zone: NoAddress?) -> Int32 {
    Glibc.gettimeofday(&time, nil)
}
@discardableResult public func time(_ time: inout time_t) -> time_t { Glibc.time(&time) }
@discardableResult public func strlen(_ text: String) -> Int { Glibc.strlen(text) }
@discardableResult public func puts(_ text: String) -> Int32 { Glibc.puts(text) }
@discardableResult public func fputs(_ text: String, _ stream: UnsafeMutablePointer<FILE>!) -> Int32 {
    Glibc.fputs(text, stream)
}
