import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** A trust manager that looks for the pin in what was presented: the array it is handed is not the chain that was verified. */
final class PresentedListClient extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager platform;

    PresentedListClient(X509ExtendedTrustManager platform) {
        this.platform = platform;
    }

    private static void check(X509Certificate[] chain) throws CertificateException {
        try {
            for (X509Certificate certificate : chain) if (Fixture.isPinned(certificate)) return;
        } catch (GeneralSecurityException error) {
            throw new CertificateException(error);
        }
        throw new CertificateException("pin mismatch");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        platform.checkServerTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        platform.checkServerTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        platform.checkServerTrusted(chain, type);
        check(chain);
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

    public static void main(String[] arguments) {
        Fixture.run(() -> {
            X509ExtendedTrustManager platform = (X509ExtendedTrustManager) Fixture.trustManager();
            HttpsURLConnection connection =
                    PostCheckClient.open(Fixture.PIN.isEmpty() ? platform : new PresentedListClient(platform));
            return new String(connection.getInputStream().readAllBytes());
        });
    }
}
