let trustKitConfig =
    [
        kTSKSwizzleNetworkDelegates: false,
        kTSKPinnedDomains: [
            "example.com": [
                kTSKEnforcePinning: true,
                kTSKIncludeSubdomains: true,
                kTSKPublicKeyHashes: [
                    "+oWY7EmKgBe9D8yQ/ETGiH62Hm0WUlHodB7skGqPhvk=", "7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=",
                ],
            ]
        ],
    ] as [String: Any]
TrustKit.initSharedInstance(withConfiguration: trustKitConfig)
