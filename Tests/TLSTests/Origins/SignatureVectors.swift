import Facts
import Testing

/// A signature of ECDSA over P-256, made so that a verifier that adds up multiples from tables meets what is rare: points that
/// are the same, or cancel each other, at the end or on the way, digits at their limits, an x over the order.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let name: String
    let holds: Bool
    /// The public key's x and y, the digest, r and s, 32 bytes each.
    let x, y, digest, r, s: [UInt8]

    var testDescription: String { name }

    private init(
        _ name: String, holds: Bool = true, _ x: String, _ y: String, _ digest: String, _ r: String, _ s: String
    ) {
        func bytes(_ hex: String) -> [UInt8] { Hex.decoded(hex) ?? [] }
        (self.name, self.holds) = (name, holds)
        (self.x, self.y, self.digest, self.r, self.s) = (bytes(x), bytes(y), bytes(digest), bytes(r), bytes(s))
    }

    static let all = [
        SignatureVector(
            "the base point as key, doubled",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978"),
        SignatureVector(
            "the base point as key, cancelled", holds: false,
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254c",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254c"),
        SignatureVector(
            "the base point as key, the largest multiples",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "830d84e672fcb08275adc7fcfb4ae53bfc5d90cb2f25834f4dae81c6b4fc8bd9"),
        SignatureVector(
            "the base point's negative as key, cancelled", holds: false,
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "0000000000000000000000000000000000000000000000000000000000000005",
            "6db6db6d49249249924924924924924907d0b49390c0facb43e1e92efe73a248"),
        SignatureVector(
            "the base point's negative as key",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a",
            "44bc98a16dad3dd4163ff2ad03a94db4b9a68bd5bc80caa92d2d05caff0be4ff",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "9c1af13b0fab08d5ba0922ab0085e68761e4ec5d31447788b64c06fa225eece5"),
        SignatureVector(
            "sums that meet a multiple of 64^i",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "27a0c221b72432f0ffc3dda2e480e645a32f06e363cdcde9973276c64cfb1a94",
            "27a0c221b72432f0ffc3dda2e480e645a32f06e363cdcde9973276c64cfb1a94",
            "56790b41c677be6975ddd42c8be71b22aff59842224f067814f1780167b972a3"),
        SignatureVector(
            "sums that cancel in the middle",
            "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
            "03a51b324698c77fc5c14094f1c3c1a5a7f3e296162720843970c5228e725103",
            "5c9cc4f8723a027b0318ec7fdfd7dac93fdd478e694fd54add1452e899273a8f",
            "0e983e587a5e1b5abd826b8b92d1cc78d405032b871e02baef82a1244b037db2"),
        SignatureVector(
            "twice the base point as key",
            "7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978",
            "07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1",
            "c4a6946b65a11f76405bbccb3dcc57a04958cb0949938f59ad6c39c5d9a2eb53",
            "e2534a3532d08fbba02dde659ee62bd0031fe2db785596ef509302446b030852",
            "e2534a3532d08fbba02dde659ee62bd0031fe2db785596ef509302446b030852"),
        SignatureVector(
            "a digest of zero",
            "26efcebd0ee9e34a669187e18b3a9122b2f733945b649cc9f9f921e9f9dad812",
            "90238bde9cc7bb330d150c67704dd25ae7055205744b6f31bf4070745872d0e6",
            "0000000000000000000000000000000000000000000000000000000000000000",
            "2d40e04708c74a6567f72cef07920d168688a83110aa22a0423828b8a40087cb",
            "1b2f6353ef7d99e6d2ce03e881c2ba5a08131f8db1293c23d7b04aca304ccd1f"),
        SignatureVector(
            "digits of 32 and 33",
            "21508b35b4afe0f01ad0857e7e1dbcc749688dc911e3a74c8a0e83174c8c609c",
            "e2f8f5d3f58be2cd83681e414ad64ae98ccd53fc446fe12d9408df4140f7fcb5",
            "2cd096ece96c1695de2dcf94376e30285fd28ccda5ff755240180506b40fe905",
            "86371ba3f8b7774ae51f3e10d929a1a98bc0875fc49f8f7a85e0a2e1f0727d21",
            "80617bbfe8602ef0845c5ebfffb65123d5533d67c147ac214fc0a488e79172ef"),
        SignatureVector(
            "digits of 63",
            "e6bd10001e95620812a18095976c0db29308e401416daf33430b7da5713bc0a9",
            "312938cc51acf524f455c89fc0bec531431dcfec0eb2ef09c99247615d59ef35",
            "1db0880f286da45a56dc455890223eea956a6e8a13e5ae9cd99394c90f5758da",
            "eb670a1c633be4e7355dbe0e35c504a5bb5ee7b92d991a5607fd52504d7e4229",
            "46e273d461f5da8dec20c93c2498359e987a947306e2b6fab10c85ae6d211f2a"),
        SignatureVector(
            "half the order",
            "2afa386b3f2bdcdb83f4d83f8fa3874d7b74dcb454bd644fdd6bf3d1f2da8db6",
            "8de7b41d3557a9cc9d4ac90ef7ad299a51759b030e1472b36b952a7686908d63",
            "f8b96576054865177d0577f4f46bf468f6d66bfee6d06055a0af44a3565a2ecf",
            "07469a88fab79ae982fa880b0b940b96c6108eaec0473e2f530a861fa608f682",
            "0e8d3511f56f35d305f510161728172d8c211d5d808e7c5ea6150c3f4c11ed04"),
        SignatureVector(
            "any",
            "14b8a2c95626f164e38703bd976b200e0650503e4b701ecbf29f96abf786d31f",
            "9b978f67b1ea482736e63b98c445745a521135bf468d6d0c168ef66a4163f46f",
            "d73361ea36e867f7024e3660669de6f5edffa68216c2ce7c072c23aaa252a934",
            "329cf64c4883faeb537211ba0135601644be145155f12a02392d3ad0345f2928",
            "7d94ad084d272fae341bcabdaa8b90d7b8834f9ba536e573cb084144676856e2"),
        SignatureVector(
            "any",
            "34bd6e33388c49e6c136f6d1c5b98933c7e728e58e8bff31849e444b4efe3ed8",
            "eac33303baf8df855fe2bf68cbefe75015b473282d4eb696485e7cd46732fb62",
            "dc687357c63394c848f2fd1c6b5a0e872789d36a0b2ac6206adaae801efc18a9",
            "cb9df14c4bba50afe31d7352d79f14a222aed1d8dae912a8213be1e8b367c0ee",
            "fd99d51ff17fcb3851ca7af11a2db6f70add091a899506e62987614e49ff381f"),
        SignatureVector(
            "any",
            "b0bb72eb8293b39aaa3cb2267dfc3c07ec9b450897d76e88e3e78c4719e03bef",
            "2a7ae344bc661ad15fabd33e82c041c9ff808873e7ead8449c636ae6756e42ac",
            "bfe263ac53a22d607209d044ec23784f79881ab1f76e2ae1642fabd1aa8f0ee8",
            "38528a10f893cdec281efde775b4b17a63eb48c79a72af7d17276789f5dff7fe",
            "b5e8674a61a453dd575fbb4e8807b5641bbe4ecaf1d872b50825710e779cc089"),
        SignatureVector(
            "an x that is the order or more",
            "ef12cd58a62289bdb8e345370d3385aa27f0efda23deb80d362950705bc25453",
            "16f2f9792d6ddaed543235a0993b97487b6700c35dec471c929edb3d8af144c0",
            "5f663021795b17c550bd4beb203bcc0530d121f96f0f4e7c255dda321a48a95b",
            "0000000000000000000000000000000000000000000000000000000000000003",
            "0d0d9514880b440618ee4416f8943a9bef65bb6f7c104be59d6313d5cb9f08fc"),
    ]
}
