import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.X509TrustManager;

/** HttpsURLConnection that compares the server's certificate between connect() and the request. */
final class PostCheckClient {
    static HttpsURLConnection open(X509TrustManager trust) throws Exception {
        HttpsURLConnection connection =
                (HttpsURLConnection) Fixture.ADDRESS.toURL().openConnection(Fixture.proxy());
        connection.setSSLSocketFactory(Fixture.context(trust).getSocketFactory());
        connection.setConnectTimeout(Fixture.TIMEOUT_MS);
        connection.setReadTimeout(Fixture.TIMEOUT_MS);
        return connection;
    }

    public static void main(String[] arguments) {
        Fixture.run(() -> {
            HttpsURLConnection connection = open(Fixture.trustManager());
            connection.connect();
            if (!Fixture.PIN.isEmpty()) {
                Certificate pinned = Fixture.certificates(Fixture.variable("PIN_CERT")).iterator().next();
                if (!pinned.equals(connection.getServerCertificates()[0])) {
                    connection.disconnect();
                    throw new CertificateException("not the bundled certificate");
                }
            }
            return new String(connection.getInputStream().readAllBytes());
        });
    }
}
