package dev.millrace.registry;

import dev.millrace.model.io.Pem;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * PEM files on the machine that connects, read when it does.
 *
 * @param authorities certificates of the authorities that are trusted; null for those of the JDK
 * @param certificate the client's own, with the authorities between; null for none
 * @param key of that, PKCS #8 without a password; null for none
 */
public record TlsFiles(String authorities, String certificate, String key) implements Serializable {

  public static final TlsFiles NONE = new TlsFiles(null, null, null);

  private static final String IN_MEMORY = "millrace";

  public TlsFiles {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("A client's certificate and its key come together");
    }
  }

  /**
   * Reads them; null where there are none.
   *
   * @throws IOException if one can't be read, naming it
   */
  SSLContext context() throws IOException {
    if (authorities == null && certificate == null) {
      return null;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers(), trustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private TrustManager[] trustManagers() throws IOException, GeneralSecurityException {
    if (authorities == null) {
      return null;
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    int number = 0;
    for (Certificate authority : Pem.certificates(Path.of(authorities))) {
      trusted.setCertificateEntry("authority-" + number++, authority);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory.getTrustManagers();
  }

  private KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
    if (certificate == null) {
      return null;
    }
    KeyStore own = Pem.identity(Path.of(certificate), Path.of(key), IN_MEMORY);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(own, IN_MEMORY.toCharArray());
    return factory.getKeyManagers();
  }
}
