let evaluators: [String: ServerTrustEvaluating] = [
    "example.com": PinnedCertificatesTrustEvaluator(
        certificates: [Certificates.root], acceptSelfSignedCertificates: false),
    "api.example.com": PublicKeysTrustEvaluator(),
]
let manager = ServerTrustManager(evaluators: evaluators)
