package dev.millrace.snapshot.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A pair of keys as files, as openssl writes them.
 *
 * @param privateKey of a job
 * @param publicKey of its readers
 */
public record SigningKeys(Path privateKey, Path publicKey) {

  /** Makes a pair, whose files are called by a name. */
  public static SigningKeys create(Path directory, String name) {
    try {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      return new SigningKeys(
          write(directory.resolve(name + ".key"), "PRIVATE KEY", pair.getPrivate().getEncoded()),
          write(directory.resolve(name + ".pub"), "PUBLIC KEY", pair.getPublic().getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has Ed25519", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path write(Path file, String what, byte[] key) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
    return Files.writeString(
        file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
  }
}
