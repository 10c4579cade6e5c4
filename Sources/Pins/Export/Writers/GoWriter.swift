/// Go that compares the verified chains in `tls.Config`'s `VerifyConnection`.
enum GoWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = ExportComment.lines(notes, "//") + (notes.isEmpty ? "" : "\n")
        out += """
            package pins

            import (
            \t"crypto/sha256"
            \t"crypto/tls"
            \t"encoding/base64"
            \t"encoding/hex"
            \t"errors"
            \t"fmt"
            \t"strings"
            )

            // An exact name comes before "*." (one label), and that before "**." (any depth). An empty list: not pinned.
            var pins = map[string][]string{

            """
        for host in hosts {
            let pins = host.pinNames.map { "\"\($0)\"" }.joined(separator: ", ")
            for pattern in host.patterns { out += "\t\"\(pattern)\": {\(pins)},\n" }
        }
        return out + """
            }

            func pinsOf(host string) []string {
            \thost = strings.TrimSuffix(strings.ToLower(host), ".")
            \tif found, ok := pins[host]; ok {
            \t\treturn found
            \t}
            \tlabels := strings.Split(host, ".")
            \tfor depth := 1; depth < len(labels); depth++ {
            \t\tparent := strings.Join(labels[depth:], ".")
            \t\tif found, ok := pins["*."+parent]; ok && depth == 1 {
            \t\t\treturn found
            \t\t}
            \t\tif found, ok := pins["**."+parent]; ok {
            \t\t\treturn found
            \t\t}
            \t}
            \treturn nil
            }

            // VerifyPins is for the VerifyConnection of a tls.Config without InsecureSkipVerify: it looks at verified chains alone.
            func VerifyPins(state tls.ConnectionState) error {
            \tif state.ServerName == "" {
            \t\treturn errors.New("pins are kept by name, and an address has been called")
            \t}
            \twanted := pinsOf(state.ServerName)
            \tif len(wanted) == 0 {
            \t\treturn nil
            \t}
            \tfor _, chain := range state.VerifiedChains {
            \t\tfor _, certificate := range chain {
            \t\t\tkey := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
            \t\t\twhole := sha256.Sum256(certificate.Raw)
            \t\t\tfor _, pin := range wanted {
            \t\t\t\tif pin == "sha256/"+base64.StdEncoding.EncodeToString(key[:]) ||
            \t\t\t\t\tpin == "certificate-sha256/"+hex.EncodeToString(whole[:]) {
            \t\t\t\t\treturn nil
            \t\t\t\t}
            \t\t\t}
            \t\t}
            \t}
            \treturn fmt.Errorf("no pin of %s matches", state.ServerName)
            }

            """
    }
}
