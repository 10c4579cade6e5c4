import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** The platform's checks first, then the pin on the leaf; both inside the handshake. */
final class PinningTrustManager extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager platform;

    PinningTrustManager(X509ExtendedTrustManager platform) {
        this.platform = platform;
    }

    private static void check(X509Certificate leaf) throws CertificateException {
        boolean pinned;
        try {
            pinned = Fixture.isPinned(leaf);
        } catch (GeneralSecurityException error) {
            throw new CertificateException(error);
        }
        if (!pinned) throw new CertificateException("pin mismatch");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        platform.checkServerTrusted(chain, type, socket);
        check(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        platform.checkServerTrusted(chain, type, engine);
        check(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        platform.checkServerTrusted(chain, type);
        check(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return platform.getAcceptedIssuers();
    }
}
