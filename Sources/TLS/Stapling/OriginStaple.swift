import COpenSSL
import Facts

/// The OCSP answer (RFC 6960) that an origin has stapled to its handshake (RFC 6066 §8).
package final class OriginStaple: Sendable {
    /// As it came.
    let bytes: [UInt8]
    /// What an answer of our own repeats of it; nil where it says nothing good of the leaf, or cannot be read.
    package let form: StapleForm?

    /// Real ones have 500 to 3,000 bytes; those signed with post-quantum keys will have some 10 KiB.
    static let sizeLimit = 32 * 1024

    /// - Parameter leaf: the certificate that it is to speak of.
    package init?(_ bytes: [UInt8], of leaf: Certificate) {
        guard !bytes.isEmpty, bytes.count <= Self.sizeLimit else { return nil }
        self.bytes = bytes
        form = StapleForm(bytes, of: leaf)
    }
}

/// What of a genuine OCSP answer a client could miss in a forged one.
package struct StapleForm: Hashable, Sendable {
    /// Unix seconds.
    var producedAt: Int64
    var thisUpdate: Int64
    /// nil: newer answers may be had at any time.
    var nextUpdate: Int64?
    /// How the certificate is named: by hashes of its issuer's name and key.
    var digest = Digest.sha1
    /// The responder is named by its key, else by its name.
    var isNamedByKey = false
    /// It brings timestamps of Certificate Transparency (RFC 6962 §3.3), which nobody else can make.
    var hasTimestamps = false

    /// Digests that name a certificate in OCSP; RFC 5019 §2.1.1 knows the first alone.
    enum Digest: String, CaseIterable, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA2-256"
        case sha384 = "SHA2-384"
        case sha512 = "SHA2-512"

        var number: Int32 {
            switch self {
            case .sha1: NID_sha1
            case .sha256: NID_sha256
            case .sha384: NID_sha384
            case .sha512: NID_sha512
            }
        }
    }

    init(producedAt: Int64, thisUpdate: Int64, nextUpdate: Int64?) {
        self.producedAt = producedAt
        self.thisUpdate = thisUpdate
        self.nextUpdate = nextUpdate
    }
}

extension StapleForm {
    /// A responder answers for one certificate, or for a few that it has made ready together.
    private static let answerLimit: Int32 = 64

    /// nil: it is no whole answer, or not a good one for `leaf`. Its signature is not looked at: it came in the
    /// handshake of an origin that was verified.
    init?(_ bytes: [UInt8], of leaf: Certificate) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let response = unsafe Self.parse(bytes) else { return nil }
        defer { unsafe OCSP_RESPONSE_free(response) }
        guard unsafe OCSP_response_status(response) == OCSP_RESPONSE_STATUS_SUCCESSFUL,
            let basic = unsafe OCSP_response_get1_basic(response)
        else { return nil }
        defer { unsafe OCSP_BASICRESP_free(basic) }
        for index in unsafe 0..<min(Self.answerLimit, max(0, OCSP_resp_count(basic))) {
            guard let one = unsafe OCSP_resp_get0(basic, index),
                let digest = unsafe Self.digest(in: one, naming: leaf.serial)
            else { continue }
            unsafe self.init(one, in: basic, digest)
            return
        }
        return nil
    }

    private init?(_ one: OpaquePointer, in basic: OpaquePointer, _ digest: Digest) {
        var reason: Int32 = 0
        var (revoked, this, next): (GeneralizedTime?, GeneralizedTime?, GeneralizedTime?) = (nil, nil, nil)
        guard
            unsafe OCSP_single_get0_status(one, &reason, &revoked, &this, &next) == V_OCSP_CERTSTATUS_GOOD,
            let begin = unsafe Certificate.seconds(this),
            let made = unsafe Certificate.seconds(OCSP_resp_get0_produced_at(basic))
        else { return nil }
        unsafe self.init(producedAt: made, thisUpdate: begin, nextUpdate: Certificate.seconds(next))
        self.digest = digest
        var identifier: UnsafePointer<ASN1_OCTET_STRING>?
        var name: OpaquePointer?
        isNamedByKey = unsafe OCSP_resp_get0_id(basic, &identifier, &name) == 1 && identifier != nil
        hasTimestamps = unsafe OCSP_SINGLERESP_get_ext_by_NID(one, NID_ct_cert_scts, -1) >= 0
    }

    private typealias GeneralizedTime = UnsafeMutablePointer<ASN1_GENERALIZEDTIME>

    private static func parse(_ bytes: [UInt8]) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            guard let response = unsafe d2i_OCSP_RESPONSE(nil, &cursor, bytes.count) else { return nil }
            guard unsafe cursor == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                unsafe OCSP_RESPONSE_free(response)
                return nil
            }
            return unsafe response
        }
    }

    /// The digest by which an answer names its certificate; nil where that has another serial number.
    private static func digest(in one: OpaquePointer, naming serial: [UInt8]) -> Digest? {
        guard let name = unsafe OCSP_SINGLERESP_get0_id(one) else { return nil }
        var algorithm: OpaquePointer?
        var number: UnsafeMutablePointer<ASN1_INTEGER>?
        guard unsafe OCSP_id_get0_info(nil, &algorithm, nil, &number, name) == 1, let number = unsafe number,
            unsafe Certificate.bytes(of: number) == serial
        else { return nil }
        let found = unsafe OBJ_obj2nid(algorithm)
        return Digest.allCases.first { $0.number == found }
    }
}
