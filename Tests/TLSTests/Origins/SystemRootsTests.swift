import Support
import TLSSupport
import Testing

@testable import TLS

/// A system's folder of roots with its bundle, of which the folder has some under their hashes.
private func system(bundle: Int, hashes: [String], name: String = "ca-certificates.crt") throws -> (
    TemporaryFolder, SystemRoots
) {
    let folder = try TemporaryFolder()
    let pem = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"
    let file = try folder.write(name, Array(String(repeating: pem, count: bundle).utf8))
    for hash in hashes { _ = try folder.write(hash, Array(pem.utf8)) }
    return (folder, SystemRoots(file: file, folder: folder.path))
}

@Test("a folder that has all of its bundle is read when it is needed, in its place")
func folderIsEnough() throws {
    let (folder, roots) = try system(bundle: 3, hashes: ["5ed36f99.0", "5ed36f99.1", "0a775a30.0"])
    #expect(roots.isFolderEnough)
    // By whatever way one comes to it.
    let (_, other) = try system(bundle: 3, hashes: [])
    #expect(!SystemRoots(file: other.file, folder: folder.path).isFolderEnough)
    #expect(
        SystemRoots(
            file: folder.path + "/../" + folder.path.split(separator: "/").last! + "/ca-certificates.crt",
            folder: folder.path + "/"
        ).isFolderEnough)
}

@Test(
    "a bundle with more than the folder, with another name or of nothing is read itself",
    arguments: [
        (3, ["5ed36f99.0", "0a775a30.0"], "ca-certificates.crt"),
        (2, ["5ed36f99.0", "0a775a30.pem", "0a775a30.r0", "0a775a3g.0", "a.0"], "ca-certificates.crt"),
        (1, ["5ed36f99.0"], "own.crt"), (0, ["5ed36f99.0"], "ca-certificates.crt"),
    ])
func bundleIsRead(bundle: Int, hashes: [String], name: String) throws {
    let (folder, roots) = try system(bundle: bundle, hashes: hashes, name: name)
    #expect(!roots.isFolderEnough)
    withExtendedLifetime(folder) {}
}

@Test("what is not there is no folder that will do")
func missingRoots() {
    #expect(!SystemRoots(file: "/nowhere/ca-certificates.crt", folder: "/nowhere").isFolderEnough)
    #expect(!SystemRoots(file: "", folder: "").isFolderEnough)
}
