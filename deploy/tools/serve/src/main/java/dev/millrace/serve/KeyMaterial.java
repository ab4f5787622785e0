package dev.millrace.serve;

import dev.millrace.job.serve.Endpoint.Tls;
import dev.millrace.job.serve.SecretFile;
import dev.millrace.model.io.Pem;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/**
 * A certificate and its key out of files.
 *
 * @param password of the store and of the key in it
 */
public record KeyMaterial(KeyStore store, String password) {

  private static final String IN_MEMORY = "millrace";

  /**
   * Reads it.
   *
   * @throws IOException if a file can't be read or holds something else, naming it and what to do
   */
  public static KeyMaterial read(Tls tls) throws IOException {
    try {
      return tls instanceof Tls.Store store ? read(store) : read((Tls.Pem) tls);
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up with %s: %s".formatted(tls, e.getMessage()), e);
    }
  }

  /** The files that it is read from. */
  static List<Path> files(Tls tls) {
    if (tls instanceof Tls.Store store) {
      return List.of(store.file(), store.password());
    }
    Tls.Pem pem = (Tls.Pem) tls;
    return List.of(pem.certificates(), pem.key());
  }

  private static KeyMaterial read(Tls.Store tls) throws IOException, GeneralSecurityException {
    File file = tls.file().toFile();
    String password = SecretFile.read(tls.password());
    try {
      KeyStore store = KeyStore.getInstance(file, password.toCharArray());
      return new KeyMaterial(store, password);
    } catch (IOException e) {
      throw new IOException(
          "The key store %s can't be read: %s; name a file of PKCS #12, and the file with its password"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static KeyMaterial read(Tls.Pem tls) throws IOException, GeneralSecurityException {
    return new KeyMaterial(Pem.identity(tls.certificates(), tls.key(), IN_MEMORY), IN_MEMORY);
  }
}
