import FuzzSubjects

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The subject that `PINPROOF_FUZZ_SUBJECT` names. libFuzzer has the main function and the command line.
private let subject: FuzzSubject = {
    let name = unsafe getenv("PINPROOF_FUZZ_SUBJECT").map { unsafe String(cString: $0) } ?? ""
    guard let subject = FuzzSubject.named(name) else {
        let names = FuzzSubject.all.map { "\($0.name) \($0.limit)" }.joined(separator: "\n")
        print(names)
        exit(name.isEmpty ? 0 : 64)
    }
    return subject
}()

/// libFuzzer's door: 0 keeps the input where it led somewhere new, -1 never does.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    do {
        try subject.check(input)
    } catch {
        fatalError("\(subject.name): \(error)")
    }
    return 0
}

/// Before the first input: the list of subjects where none is named.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _ count: UnsafeMutablePointer<CInt>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
    _ = subject
    return 0
}
