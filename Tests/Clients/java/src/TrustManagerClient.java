import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** HttpsURLConnection with the pin in its trust manager. */
final class TrustManagerClient {
    public static void main(String[] arguments) {
        Fixture.run(() -> {
            X509TrustManager trust = Fixture.trustManager();
            if (!Fixture.PIN.isEmpty()) trust = new PinningTrustManager((X509ExtendedTrustManager) trust);
            HttpsURLConnection connection = PostCheckClient.open(trust);
            return new String(connection.getInputStream().readAllBytes());
        });
    }
}
