package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.job.serve.Endpoint.Tls;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate and its key out of files. The JDK reads all but the lines around a key in PEM: Java
 * 17 has nothing for these.
 *
 * @param password of the store and of the key in it
 */
record KeyMaterial(KeyStore store, String password) {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
  private static final String IN_MEMORY = "millrace";

  /**
   * Reads it.
   *
   * @throws IOException if a file can't be read or holds something else, naming it and what to do
   */
  static KeyMaterial read(Tls tls) throws IOException {
    try {
      return tls instanceof Tls.Store store ? read(store) : read((Tls.Pem) tls);
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS can't be set up with %s: %s".formatted(tls, e.getMessage()), e);
    }
  }

  private static KeyMaterial read(Tls.Store tls) throws IOException, GeneralSecurityException {
    File file = tls.file().toFile();
    try {
      KeyStore store = KeyStore.getInstance(file, tls.password().toCharArray());
      return new KeyMaterial(store, tls.password());
    } catch (IOException e) {
      throw new IOException(
          "The key store %s can't be read: %s; name a file of PKCS #12, and the file with its password"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static KeyMaterial read(Tls.Pem tls) throws IOException, GeneralSecurityException {
    Certificate[] chain;
    try (InputStream in = Files.newInputStream(tls.certificates())) {
      chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(Certificate[]::new);
    }
    if (chain.length == 0) {
      throw new IOException(
          "%s has no certificate; name a file in PEM".formatted(tls.certificates()));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(IN_MEMORY, key(tls.key()), IN_MEMORY.toCharArray(), chain);
    return new KeyMaterial(store, IN_MEMORY);
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
    Matcher matcher = KEY.matcher(Files.readString(file, US_ASCII));
    if (!matcher.find()) {
      throw noKey(file, Optional.empty());
    }
    PKCS8EncodedKeySpec spec;
    try {
      spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
    } catch (IllegalArgumentException e) {
      throw noKey(file, Optional.of(e));
    }
    InvalidKeySpecException last = null;
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        last = e;
      }
    }
    throw noKey(file, Optional.ofNullable(last));
  }

  private static IOException noKey(Path file, Optional<Exception> cause) {
    return new IOException(
        ("%s has no key in PEM that begins with -----BEGIN PRIVATE KEY----- (PKCS #8, unencrypted,"
                + " of RSA or elliptic curves); 'openssl pkcs8 -topk8 -nocrypt' writes one")
            .formatted(file),
        cause.orElse(null));
  }
}
