// Never use @_silgen_name("free") in your own code, nor @_extern(c).
/* @_silgen_name is what the standard library does. */
/// See `@_silgen_name`.
/*ANSWER*/
