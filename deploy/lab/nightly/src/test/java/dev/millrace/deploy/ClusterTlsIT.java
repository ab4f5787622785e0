package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.digits.Digits;
import dev.millrace.local.cluster.ClusterPlan;
import dev.millrace.local.cluster.Hosts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.RestOptions;
import org.junit.jupiter.api.Test;

/**
 * The steps of docs/operate/security.md: processes of a cluster that trust a certificate, and
 * nobody else.
 */
class ClusterTlsIT {

  private static final String PASSWORD = "changeit";
  private static final String NO_HOST_NAMES =
      " -Dorg.apache.flink.shaded.netty4.io.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE";

  @Test
  void everyRecordIsLearnedOnceAndWithoutTheCertificateNobodyIsAnswered() throws Exception {
    Path store = Distribution.workDirectory("cluster-tls-store").resolve("cluster.p12");
    makeCertificate(store);

    ClusterPlan plan = TestCluster.plan(2, false, settings(store));
    try (TestCluster cluster = TestCluster.start("cluster-tls", plan, Hosts.LOOPBACK)) {
      Topic topic = Topic.of(cluster.bootstrapServers(), "cluster-tls", 2, new Digits(2_000, 1));
      TrainingRun run =
          new TrainingRun(
              cluster.flink(), topic, cluster.directory().resolve("cluster-tls"), Map.of());

      String job = run.submit(2);
      run.awaitWhole();
      run.awaitEnd(job);

      int port =
          Integer.parseInt(
              cluster.cluster().configuration().get(RestOptions.BIND_PORT).split("-", -1)[0]);
      // Flink answers that the interface is elsewhere, and no more.
      assertThat(ask(HttpClient.newHttpClient(), "http", port).statusCode()).isBetween(300, 399);
      HttpClient trusting = HttpClient.newBuilder().sslContext(trustOf(store)).build();
      assertThatThrownBy(() -> ask(trusting, "https", port)).isInstanceOf(IOException.class);
    }
  }

  private static HttpResponse<String> ask(HttpClient client, String scheme, int port)
      throws Exception {
    URI address = URI.create("%s://127.0.0.1:%s/config".formatted(scheme, port));
    return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
  }

  /** Trusts the cluster, and has no certificate to show. */
  private static SSLContext trustOf(Path store) throws Exception {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore all = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    certificates.load(null, null);
    certificates.setCertificateEntry("flink", all.getCertificate("flink"));
    trust.init(certificates);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** One that stands for all processes of the cluster, as the document makes it. */
  private static void makeCertificate(Path store) throws Exception {
    Files.createDirectories(store.getParent());
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "flink",
                    "-keystore",
                    store.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keyalg",
                    "RSA",
                    "-keysize",
                    "3072",
                    "-validity",
                    "365",
                    "-dname",
                    "CN=flink.internal",
                    "-ext",
                    "SAN=ip:127.0.0.1"))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
  }

  private static Map<String, String> settings(Path store) {
    Map<String, String> settings = new HashMap<>(TestCluster.shortLived());
    // TaskManagers find each other by addresses, which no certificate can name beforehand.
    settings.merge(CoreOptions.FLINK_JVM_OPTIONS.key(), NO_HOST_NAMES, (all, more) -> all + more);
    for (String part : List.of("internal", "rest")) {
      settings.put("security.ssl.%s.enabled".formatted(part), "true");
      for (String kind : List.of("keystore", "truststore")) {
        settings.put("security.ssl.%s.%s".formatted(part, kind), store.toString());
        settings.put("security.ssl.%s.%s-password".formatted(part, kind), PASSWORD);
        settings.put("security.ssl.%s.%s-type".formatted(part, kind), "PKCS12");
      }
      settings.put("security.ssl.%s.key-password".formatted(part), PASSWORD);
    }
    settings.put("security.ssl.rest.authentication-enabled", "true");
    return settings;
  }
}
