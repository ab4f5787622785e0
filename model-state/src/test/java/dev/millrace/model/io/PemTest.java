package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PemTest {

  /** As openssl genpkey -algorithm ed25519 wrote it, for this test alone. */
  private static final String PRIVATE =
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIOarQJPolq7uHTrRI9AuzfjBlu7asJ1baySOyLW3gAjs
      -----END PRIVATE KEY-----
      """;

  private static final String PUBLIC =
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAfhDCWcTS3E44u1PHR/IVz0BO0wyIEWf2epxyeaBjUfA=
      -----END PUBLIC KEY-----
      """;

  @TempDir private Path directory;

  @Test
  void keysThatOpensslWroteAreRead() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "Of the job\n" + PRIVATE);
    Path keys = Files.writeString(directory.resolve("keys"), PUBLIC + "and\r\n" + PUBLIC);

    assertThat(Pem.privateKey(key, List.of("RSA", "Ed25519")).getAlgorithm()).isEqualTo("EdDSA");
    assertThat(Pem.publicKeys(keys, "Ed25519")).hasSize(2);
  }

  @Test
  void whatIsNoKeyIsNamedWithWhatToDo() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), PRIVATE);
    Path cut = Files.writeString(directory.resolve("cut"), PRIVATE.replace("MC4C", "MC4"));
    Path pub = Files.writeString(directory.resolve("pub"), PUBLIC);

    assertThatThrownBy(() -> Pem.privateKey(pub, List.of("Ed25519")))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(pub.toString(), "BEGIN PRIVATE KEY", "openssl");
    assertThatThrownBy(() -> Pem.privateKey(cut, List.of("Ed25519")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(cut.toString());
    assertThatThrownBy(() -> Pem.privateKey(key, List.of("RSA", "EC")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("of RSA, EC");
    assertThatThrownBy(() -> Pem.publicKeys(key, "Ed25519"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(key.toString(), "BEGIN PUBLIC KEY", "-pubout");
    assertThatThrownBy(() -> Pem.publicKeys(pub, "RSA"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(pub.toString(), "RSA");
    assertThatThrownBy(() -> Pem.certificates(Files.createFile(directory.resolve("empty"))))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("empty has no certificate", "name a file in PEM");
    assertThatThrownBy(() -> Pem.identity(key, key, "memory"))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(key.toString(), "certificate", "name a file in PEM");
  }
}
