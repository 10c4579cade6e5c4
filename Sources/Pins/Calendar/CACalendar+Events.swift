import Facts

extension CACalendar {
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: day)
    }

    private static let letsEncryptPage = "https://letsencrypt.org/certificates/"
    private static let letsEncryptChecked = day(2026, 8, 21)
    private static let checked = day(2026, 11, 26)

    // Keys of Let's Encrypt: computed from the certificates that letsencrypt.org publishes.
    private static let generationR3 = [
        "jQJTbIh0grw0/1TkHSumWb+Fs0Ggogr621gT3PvPKG0=", "5VReIRNHJBiRxVSgOTTN6bdJZkpZ0m1hX+WPd5kPLQM=",
        "J2/oqMTsdhFWW/n85tys6b4yDBtb6idZayIEBx7QTxA=", "vZNucrIS7293MQLGt304+UKXMi78JTlrwyeUIuDIknA=",
    ]
    /// E5 to E9, R10 to R14.
    private static let generation2024 = [
        "NYbU7PBwV4y9J67c4guWTki8FJ+uudrXL0a4V4aRcrg=", "0Bbh/jEZSKymTy3kTOhsmlHKBB32EDu1KojrP3YfV9c=",
        "y7xVm0TVJNahMr2sZydE2jQH8SquXV9yLF9seROHHHU=", "iFvwVyJSxnQdyaUvUERIf+8qk7gRze3612JMwoO3zdU=",
        "8UQKm3bh5B5TpMtGEym/Yze0GXJr5RPkLhnxxpHF1LI=", "K7rZOrXHknnsEhUH8nLL4MZkejquUuIvOIr6tCa0rbo=",
        "bdrBhpj38ffhxpubzkINl0rG+UyossdhcBYj+Zx2fcc=", "kZwN96eHtZftBWrOZUsd6cA4es80n3NzSk/XtYz2EqQ=",
        "AlSQhgtJirc8ahLyekmtX+Iw+v46yPYRLJt9Cq1GlB0=", "8WR6XuPvrFTIkukwWE/keXm3rNHHbBJxvKHFB22GmIg=",
    ]
    /// YE1 to YE3, YR1 to YR3.
    private static let generationY = [
        "brzvtCELCIZUo4sD/qPX0ccRtPsd3DY6RfmxpOU9oB4=", "s/tdAOmUzd8syaTuqfgGvFcn6DzA5Cmb+Vby1ST+U3Y=",
        "ppiiCCS+BOR6GjPE+kiHMb6SAR8jox6QDiyibJwqz84=", "LoMHBotttiDko50Gi13uXW71eIy7LAttI+rYT8wXF4w=",
        "nWN7PSep5XDQdge5zK24CnCRXHr3KvzhKEGxsdqCX9E=", "UaqofZhLVZrGnpKfiIoCLYMuCJ/026CkErUQG8pLx5k=",
    ]
    private static let digiCertG1 = [
        "DigiCert Assured ID Root CA", "DigiCert Global Root CA", "DigiCert High Assurance EV Root CA",
    ]
    private static let entrust = [
        "AffirmTrust Commercial", "AffirmTrust Networking", "AffirmTrust Premium", "AffirmTrust Premium ECC",
        "Entrust Root Certification Authority", "Entrust Root Certification Authority - EC1",
        "Entrust Root Certification Authority - G2", "Entrust Root Certification Authority - G4",
        "Entrust.net Certification Authority (2048)",
    ]
    private static let ballot =
        "https://cabforum.org/2025/04/11/ballot-sc081v3-introduce-schedule-of-reducing-validity-and-data-reuse-periods/"
    private static let automate =
        "pin a key that outlives renewals (the leaf's with key reuse, or a CA's), and rehearse the renewal"

    /// What somebody has said, with the place where it was said.
    static let announced: [CAEvent] = [
        // Let's Encrypt
        CAEvent(
            "letsencrypt-dst-cross-sign-ends", day(2024, 9, 30), .crossSignEnds, by: "IdenTrust",
            "the cross-sign of ISRG Root X1 by DST Root CA X3 ended: Android before 7.1.1 has no path to Let's Encrypt",
            fix: "take the pin of DST Root CA X3 out, and pin ISRG Root X1 where you mean Let's Encrypt",
            roots: ["DST Root CA X3"], source: "https://letsencrypt.org/2023/07/10/cross-sign-expiration",
            checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-r3-e1-expire", day(2025, 9, 15), .expires, by: "Let's Encrypt",
            "R3, R4, E1 and E2 expired; nothing is issued from them since 2024-06-06",
            fix: "take the pin out; pin ISRG Root X1 and ISRG Root X2 where you mean Let's Encrypt", pins: generationR3,
            source: letsEncryptPage, checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-client-authentication-classic", day(2026, 2, 11), .clientAuthenticationEnds,
            by: "Let's Encrypt", "certificates of the classic profile no longer serve to authenticate clients",
            fix: "take client certificates from a private CA", issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2025/05/14/ending-tls-client-authentication", checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-45-days-tlsserver", day(2026, 5, 13), .shorterCertificates, by: "Let's Encrypt",
            "certificates of the tlsserver profile are valid for 45 days", fix: automate, issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2025/12/02/from-90-to-45", checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-generation-y", day(2026, 7, 8), .retires, by: "Let's Encrypt",
            "everything is issued from YE1, YE2, YR1 and YR2 (classic since 2026-05-28); E5 to E9 and R10 to R14 retire",
            fix: "take the pin out; pin ISRG Root X1 and ISRG Root X2 where you mean Let's Encrypt",
            pins: generation2024, source: letsEncryptPage, checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-client-authentication-ends", day(2026, 7, 8), .clientAuthenticationEnds, by: "Let's Encrypt",
            "the tlsclient profile ended: no certificate of Let's Encrypt serves to authenticate clients",
            fix: "take client certificates from a private CA", issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2025/05/14/ending-tls-client-authentication", checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-64-days-classic", day(2027, 2, 10), .shorterCertificates, by: "Let's Encrypt",
            "certificates of the classic profile are valid for 64 days", fix: automate, issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2025/12/02/from-90-to-45", checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-2024-intermediates-expire", day(2027, 3, 12), .expires, by: "Let's Encrypt",
            "E5 to E9 and R10 to R14 expire",
            fix: "take the pin out; pin ISRG Root X1 and ISRG Root X2 where you mean Let's Encrypt",
            pins: generation2024, source: letsEncryptPage, checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-45-days-classic", day(2028, 2, 16), .shorterCertificates, by: "Let's Encrypt",
            "certificates of the classic profile are valid for 45 days", fix: automate, issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2025/12/02/from-90-to-45", checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-y-intermediates-expire", day(2028, 9, 2), .expires, by: "Let's Encrypt",
            "YE1 to YE3 and YR1 to YR3 expire", fix: "pin ISRG Root X1 and ISRG Root X2 instead", pins: generationY,
            source: letsEncryptPage, checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-y-cross-signs-end", day(2032, 9, 2), .crossSignEnds, by: "Let's Encrypt",
            "the cross-signs of Root YE, Root YR and ISRG Root X2 by the older roots end",
            fix: "pin the keys of Root YE and Root YR beside those of ISRG Root X1 and X2 before the day",
            roots: ["ISRG Root X1"], pins: [KnownCA.rootYE, KnownCA.rootYR], source: letsEncryptPage,
            checked: letsEncryptChecked),
        CAEvent(
            "letsencrypt-rotates", nil, .rotates, by: "Let's Encrypt",
            "Let's Encrypt picks one of several intermediates at random for each certificate, and changes them without notice, against pinning",
            fix: "pin the roots (ISRG Root X1 and ISRG Root X2), or your own leaf's key with key reuse",
            pins: generation2024 + generationY, issuers: ["Let's Encrypt"],
            source: "https://letsencrypt.org/2024/03/19/new-intermediate-certificates", checked: letsEncryptChecked),

        // Amazon Trust Services
        CAEvent(
            "amazon-starfield-class-2-ends", day(2024, 8, 1), .crossSignEnds, by: "Amazon",
            "certificates of ACM no longer lead to Starfield Class 2: the path ends at Starfield Services G2 or before",
            fix: "pin Amazon Root CA 1 to 4 and Starfield Services Root Certificate Authority - G2, all five",
            roots: ["Starfield Class 2 Certification Authority"],
            source:
                "https://aws.amazon.com/blogs/security/acm-will-no-longer-cross-sign-certificates-with-starfield-class-2-starting-august-2024",
            checked: checked),
        CAEvent(
            "amazon-198-days", day(2026, 2, 18), .shorterCertificates, by: "Amazon",
            "public certificates of ACM are valid for 198 days", fix: automate, issuers: ["Amazon"],
            source: "https://nottinfra.co.uk/signals/aws-acm-certificate-validity-period-update",
            checked: checked),
        CAEvent(
            "amazon-rotates", nil, .rotates, by: "Amazon",
            "Amazon issues from several intermediates (Amazon RSA 2048 M01 and so on), and changes them without notice since 2022-10-11",
            fix: "pin Amazon Root CA 1 to 4 and Starfield Services Root Certificate Authority - G2, all five",
            issuers: ["Amazon"],
            source:
                "https://aws.amazon.com/blogs/security/amazon-introduces-dynamic-intermediate-certificate-authorities/",
            checked: checked),
        CAEvent(
            "amazon-managed", nil, .managed, by: "Amazon",
            "ACM makes a new key at each renewal of a certificate that it manages",
            fix:
                "pin Amazon Root CA 1 to 4 and Starfield Services Root Certificate Authority - G2, or import a certificate of your own into ACM and pin its key",
            issuers: ["Amazon"],
            source: "https://docs.aws.amazon.com/acm/latest/userguide/troubleshooting-pinning.html",
            checked: checked),

        // Google Trust Services, and Cloudflare
        CAEvent(
            "gts-cross-sign-ends", day(2028, 1, 28), .crossSignEnds, by: "GlobalSign",
            "GlobalSign Root CA expires, and with it the cross-sign of GTS Root R1: devices that know no GTS root have no path",
            fix: "pin the GTS roots, not GlobalSign Root CA", roots: ["GlobalSign Root CA"],
            source: "https://security.googleblog.com/2021/03/google-https-and-device-compatibility.html",
            checked: checked),
        CAEvent(
            "gts-rotates", nil, .rotates, by: "Google Trust Services",
            "Google says that its chains are not static, and that neither intermediates nor roots should be fixed in code",
            fix: "pin all of GTS Root R1 to R4 and GlobalSign Root CA - R4, or a CA of your own choice",
            issuers: ["Google Trust Services", "Google Trust Services LLC"],
            source: "https://developers.google.com/public-key-infrastructure/faq/connecting-to-google", checked: checked
        ),
        CAEvent(
            "cloudflare-managed", nil, .managed, by: "Cloudflare or Google",
            "certificates of this CA are mostly managed by Cloudflare or Google, which change key and CA as they like (Cloudflare: Let's Encrypt, Google Trust Services, SSL.com, Sectigo)",
            fix: "upload a certificate of your own and pin its key, or do not pin this host",
            issuers: ["Google Trust Services", "Google Trust Services LLC", "Cloudflare, Inc."],
            source: "https://developers.cloudflare.com/ssl/reference/certificate-pinning/", checked: checked),

        // DigiCert and Entrust
        CAEvent(
            "entrust-chrome", day(2024, 11, 12), .distrusted, by: "Chrome",
            "Chrome trusts no certificate of Entrust's or AffirmTrust's roots that was logged after 2024-11-11",
            fix: "move to another CA, and pin its key beside this one first", roots: entrust,
            source: "https://security.googleblog.com/2024/06/sustaining-digital-certificate-security.html",
            checked: checked),
        CAEvent(
            "entrust-mozilla", day(2024, 12, 1), .distrusted, by: "Mozilla",
            "Mozilla trusts no certificate of Entrust's or AffirmTrust's roots that was issued after 2024-11-30",
            fix: "move to another CA, and pin its key beside this one first", roots: entrust,
            source: "https://www.mail-archive.com/dev-security-policy@mozilla.org/msg01763.html",
            checked: checked),
        CAEvent(
            "baltimore-expires", day(2025, 5, 12), .expires, by: "DigiCert", "Baltimore CyberTrust Root expired",
            fix: "take the pin out; DigiCert's next roots are DigiCert Global Root G2 and G3",
            roots: ["Baltimore CyberTrust Root"],
            source:
                "https://knowledge.digicert.com/general-information/digicert-root-and-intermediate-ca-certificate-updates-2023",
            checked: checked),
        CAEvent(
            "mozilla-before-2006", day(2025, 4, 15), .leavesProgramme, by: "Mozilla",
            "Mozilla took the trust in servers from roots whose keys were made before 2006",
            fix: "pin the CA's newer root beside this one",
            roots: [
                "AAA Certificate Services", "Baltimore CyberTrust Root", "Entrust.net Certification Authority (2048)",
                "GlobalSign Root CA", "Go Daddy Class 2 Certification Authority",
                "Starfield Class 2 Certification Authority", "XRamp Global Certification Authority",
            ], source: "https://wiki.mozilla.org/CA/Root_CA_Lifecycles", checked: checked),
        CAEvent(
            "digicert-g1-distrust", day(2026, 4, 15), .leavesProgramme, by: "Mozilla and Chrome",
            "Mozilla and Chrome trust DigiCert's first generation (G1) of roots no longer; nothing is issued under them",
            fix: "pin DigiCert Global Root G2 and DigiCert Global Root G3 beside it, or the key of your own leaf",
            roots: digiCertG1,
            source:
                "https://knowledge.digicert.com/general-information/digicert-root-and-intermediate-ca-certificate-updates-2023",
            checked: checked),

        // Everybody
        CAEvent(
            "sc081-200-days", day(2026, 3, 15), .shorterCertificates, by: "CA/Browser Forum",
            "certificates of public CAs are valid for at most 200 days", fix: automate, source: ballot, checked: checked
        ),
        CAEvent(
            "sc081-100-days", day(2027, 3, 15), .shorterCertificates, by: "CA/Browser Forum",
            "certificates of public CAs are valid for at most 100 days", fix: automate, source: ballot, checked: checked
        ),
        CAEvent(
            "sc081-47-days", day(2029, 3, 15), .shorterCertificates, by: "CA/Browser Forum",
            "certificates of public CAs are valid for at most 47 days", fix: automate, source: ballot, checked: checked),
    ]
}
