package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.job.serve.Endpoint.Tls;
import dev.millrace.job.serve.SecretFile;
import dev.millrace.model.PemKeys;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.List;

/**
 * A certificate and its key out of files.
 *
 * @param password of the store and of the key in it
 */
record KeyMaterial(KeyStore store, String password) {

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
    PrivateKey key = PemKeys.privateKey(tls.key(), ALGORITHMS);
    // Files that are replaced one after the other don't fit each other for a moment.
    if (!fit(key, chain[0].getPublicKey())) {
      throw new IOException(
          "The key in %s isn't that of the first certificate in %s; name files that go together"
              .formatted(tls.key(), tls.certificates()));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(IN_MEMORY, key, IN_MEMORY.toCharArray(), chain);
    return new KeyMaterial(store, IN_MEMORY);
  }

  private static boolean fit(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    byte[] text = IN_MEMORY.getBytes(US_ASCII);
    Signature signature =
        Signature.getInstance(
            key.getAlgorithm().equals("EdDSA")
                ? "EdDSA"
                : "SHA256with" + key.getAlgorithm().replace("EC", "ECDSA"));
    signature.initSign(key);
    signature.update(text);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(text);
    return signature.verify(signed);
  }
}
