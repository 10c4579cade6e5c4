import java.io.FileInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** What the Java clients share: the environment, trust, exit statuses. */
final class Fixture {
    private Fixture() {}

    static final URI ADDRESS = URI.create(variable("URL"));
    static final String PIN = variable("PIN");
    static final int TIMEOUT_MS = Integer.parseInt(variable("TIMEOUT")) * 1000;

    static String variable(String name) {
        String value = System.getenv(name);
        return value == null ? "" : value;
    }

    static Proxy proxy() {
        if (variable("PINPROOF_PROXY").isEmpty()) return Proxy.NO_PROXY;
        URI uri = URI.create(variable("PINPROOF_PROXY"));
        return new Proxy(Proxy.Type.HTTP, new InetSocketAddress(uri.getHost(), uri.getPort()));
    }

    @SuppressWarnings("unchecked")
    static Collection<X509Certificate> certificates(String file) throws Exception {
        try (InputStream stream = new FileInputStream(file)) {
            return (Collection<X509Certificate>) CertificateFactory.getInstance("X.509").generateCertificates(stream);
        }
    }

    /** The platform's own trust manager over the roots of CAFILE. */
    static X509TrustManager trustManager() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate root : certificates(variable("CAFILE"))) {
            store.setCertificateEntry("root" + store.size(), root);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    static SSLContext context(X509TrustManager trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust}, null);
        return context;
    }

    static boolean isPinned(X509Certificate certificate) throws GeneralSecurityException {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded());
        return Base64.getEncoder().encodeToString(hash).equals(PIN);
    }

    /** Runs the request, prints its answer, ends the process with the status that `lib.sh` names. */
    static void run(Callable<String> request) {
        int status = 0;
        try {
            System.out.print(request.call());
            System.out.flush();
        } catch (Throwable error) {
            status = 2;
            for (Throwable cause = error; cause != null; cause = cause.getCause()) {
                System.err.println(cause);
                if (cause instanceof SSLException || cause instanceof GeneralSecurityException) status = 1;
            }
        }
        System.exit(status);
    }
}
