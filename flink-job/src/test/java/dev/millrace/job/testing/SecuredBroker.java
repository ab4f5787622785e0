package dev.millrace.job.testing;

import dev.millrace.local.broker.LocalBroker;
import dev.millrace.local.cluster.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * A real broker that asks for a login over TLS (SASL_SSL, SCRAM-SHA-512) at one port, and for a
 * certificate (mutual TLS) at another.
 */
public final class SecuredBroker implements AutoCloseable {

  public static final String USER = "somebody";

  private static final int ITERATIONS = 4096;

  private final LocalBroker broker;
  private final String login;
  private final String mutual;

  private SecuredBroker(LocalBroker broker, String login, String mutual) {
    this.broker = broker;
    this.login = login;
    this.mutual = mutual;
  }

  /**
   * Starts it.
   *
   * @param password of its one user
   */
  public static SecuredBroker start(Path directory, Certificates certificates, String password)
      throws Exception {
    Ports ports = Ports.free();
    String login = "127.0.0.1:" + ports.rest();
    String mutual = "127.0.0.1:" + ports.rpc();
    Map<String, String> settings = new HashMap<>();
    settings.put("listeners", "LOGIN://%s,MUTUAL://%s".formatted(login, mutual));
    settings.put("listener.security.protocol.map", "LOGIN:SASL_SSL,MUTUAL:SSL");
    settings.put("listener.name.login.sasl.enabled.mechanisms", "SCRAM-SHA-512");
    settings.put(
        "listener.name.login.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    settings.put("listener.name.mutual.ssl.client.auth", "required");
    settings.put("ssl.keystore.location", certificates.issue("broker").toString());
    settings.put("ssl.keystore.type", "PKCS12");
    settings.put("ssl.keystore.password", Certificates.PASSWORD);
    settings.put("ssl.truststore.location", certificates.trusted().toString());
    settings.put("ssl.truststore.type", "PKCS12");
    settings.put("ssl.truststore.password", Certificates.PASSWORD);
    LocalBroker broker =
        LocalBroker.start(
            Files.readString(Path.of(System.getProperty("millrace.broker.classpath"))).strip(),
            directory,
            settings);
    // At the port for which nobody needs a password.
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      ScramCredentialInfo how = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
      admin
          .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(USER, how, password)))
          .all()
          .get();
    } catch (Exception e) {
      broker.close();
      throw e;
    }
    return new SecuredBroker(broker, login, mutual);
  }

  /** Where a login is asked for. */
  public String login() {
    return login;
  }

  /** Where a certificate is asked for. */
  public String mutual() {
    return mutual;
  }

  @Override
  public void close() {
    broker.close();
  }
}
