import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** HttpsURLConnection that wants to know whether the leaf was revoked; nobody but the server's staple can tell it. */
final class StapledClient {
    public static void main(String[] arguments) {
        Fixture.run(() -> {
            X509TrustManager platform = trustManager();
            X509TrustManager trust = Fixture.PIN.isEmpty()
                    ? platform : new PinningTrustManager((X509ExtendedTrustManager) platform);
            HttpsURLConnection connection = PostCheckClient.open(trust);
            return new String(connection.getInputStream().readAllBytes());
        });
    }

    private static X509TrustManager trustManager() throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (X509Certificate root : Fixture.certificates(Fixture.variable("CAFILE"))) {
            store.setCertificateEntry("root" + store.size(), root);
        }
        PKIXRevocationChecker checker =
                (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX").getRevocationChecker();
        checker.setOptions(EnumSet.of(
                PKIXRevocationChecker.Option.ONLY_END_ENTITY, PKIXRevocationChecker.Option.NO_FALLBACK));
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(store, new X509CertSelector());
        parameters.addCertPathChecker(checker);
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(new CertPathTrustManagerParameters(parameters));
        return (X509TrustManager) factory.getTrustManagers()[0];
    }
}
