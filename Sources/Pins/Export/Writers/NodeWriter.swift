/// JavaScript for Node.js, as an agent whose `checkServerIdentity` compares the leaf.
enum NodeWriter {
    static func text(_ hosts: [DeclaredHost], _ notes: [String]) -> String {
        var out = ExportComment.lines(notes, "//")
        out += """
            const { createHash, X509Certificate } = require('node:crypto');
            const https = require('node:https');
            const tls = require('node:tls');

            // An exact name comes before '*.' (one label), and that before '**.' (any depth). An empty list: not pinned.
            const PINS = new Map([

            """
        for host in hosts {
            let pins = host.pinNames.map { "'\($0)'" }.joined(separator: ", ")
            for pattern in host.patterns { out += "  ['\(pattern)', [\(pins)]],\n" }
        }
        return out + """
            ]);

            function pinsOf(name) {
              const host = name.toLowerCase().replace(/\\.$/, '');
              if (PINS.has(host)) return PINS.get(host);
              const labels = host.split('.');
              for (let depth = 1; depth < labels.length; depth += 1) {
                const parent = labels.slice(depth).join('.');
                if (depth === 1 && PINS.has(`*.${parent}`)) return PINS.get(`*.${parent}`);
                if (PINS.has(`**.${parent}`)) return PINS.get(`**.${parent}`);
              }
              return [];
            }

            function checkServerIdentity(host, certificate) {
              const error = tls.checkServerIdentity(host, certificate);
              if (error) return error;
              const wanted = pinsOf(host);
              if (wanted.length === 0) return undefined;
              // certificate.pubkey is the SubjectPublicKeyInfo of an RSA key only: of an EC key it is the bare point.
              const spki = new X509Certificate(certificate.raw).publicKey.export({ type: 'spki', format: 'der' });
              const found = [
                `sha256/${createHash('sha256').update(spki).digest('base64')}`,
                `certificate-sha256/${createHash('sha256').update(certificate.raw).digest('hex')}`,
              ];
              if (found.some((pin) => wanted.includes(pin))) return undefined;
              return new Error(`no pin of ${host} matches`);
            }

            // Node asks nobody about a resumed session: so none is kept.
            const pinnedAgent = new https.Agent({ checkServerIdentity, maxCachedSessions: 0 });

            module.exports = { checkServerIdentity, pinnedAgent };

            """
    }
}
