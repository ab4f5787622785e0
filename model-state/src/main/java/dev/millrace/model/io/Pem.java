package dev.millrace.model.io;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.EncodedKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads keys and certificates out of PEM files. Of keys the JDK reads all but the lines around
 * them: Java 17 has nothing for these.
 */
public final class Pem {

  private static final List<String> CERTIFIED = List.of("RSA", "EC", "EdDSA");

  private static final Pattern PRIVATE = block("PRIVATE KEY");
  private static final Pattern PUBLIC = block("PUBLIC KEY");

  /** Longer than any file of keys. */
  private static final int MOST_BYTES = 1 << 20;

  private Pem() {}

  private static Pattern block(String what) {
    return Pattern.compile(
        "-----BEGIN %1$s-----([A-Za-z0-9+/=\\s]+)-----END %1$s-----".formatted(what));
  }

  /**
   * Reads the private key in a file: PKCS #8 without a password.
   *
   * @param algorithms that it may be of, as the JDK names them
   * @throws IOException if it can't be read or holds no such key, naming it and what to do
   */
  public static PrivateKey privateKey(Path file, List<String> algorithms) throws IOException {
    Matcher matcher = PRIVATE.matcher(text(file));
    if (matcher.find()) {
      for (String algorithm : algorithms) {
        try {
          return KeyFactory.getInstance(algorithm)
              .generatePrivate(new PKCS8EncodedKeySpec(bytes(matcher.group(1))));
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
          // It is a key of another algorithm, or none.
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("Every Java has " + algorithm, e);
        }
      }
    }
    throw new IOException(
        ("%s has no private key in PEM that begins with -----BEGIN PRIVATE KEY----- (PKCS #8,"
                + " unencrypted, of %s); 'openssl pkcs8 -topk8 -nocrypt' writes one")
            .formatted(file, String.join(", ", algorithms)));
  }

  /**
   * Reads the public keys in a file, one or more.
   *
   * @param algorithm that they are of
   * @throws IOException if it can't be read, holds none, or one of another algorithm
   */
  public static List<PublicKey> publicKeys(Path file, String algorithm) throws IOException {
    List<PublicKey> keys = new ArrayList<>();
    Matcher matcher = PUBLIC.matcher(text(file));
    while (matcher.find()) {
      try {
        EncodedKeySpec spec = new X509EncodedKeySpec(bytes(matcher.group(1)));
        keys.add(KeyFactory.getInstance(algorithm).generatePublic(spec));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new IOException(
            "%s has a public key that is none of %s: %s".formatted(file, algorithm, e.getMessage()),
            e);
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(
          ("%s has no public key in PEM that begins with -----BEGIN PUBLIC KEY-----; 'openssl pkey"
                  + " -in KEY -pubout' writes that of a private key")
              .formatted(file));
    }
    return keys;
  }

  /**
   * Reads the certificates in a file, one or more.
   *
   * @throws IOException if it can't be read or holds none, naming it and what to do
   */
  public static Certificate[] certificates(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Certificate[] found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(Certificate[]::new);
      if (found.length == 0) {
        throw new IOException("%s has no certificate; name a file in PEM".formatted(file));
      }
      return found;
    } catch (CertificateException e) {
      throw new IOException(
          "%s has a certificate that is none: %s; name a file in PEM"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /**
   * Reads who one is: a certificate and its key, as one entry of a store.
   *
   * @param certificates the file with the own one, and behind it with those that signed it
   * @param key the file with the private key, PKCS #8 without a password
   * @param password of the entry, which is in memory alone
   * @throws IOException if a file can't be read or holds something else, or if they don't go
   *     together, naming them and what to do
   */
  public static KeyStore identity(Path certificates, Path key, String password)
      throws IOException, GeneralSecurityException {
    Certificate[] chain = certificates(certificates);
    PrivateKey own = privateKey(key, CERTIFIED);
    // Files that are replaced one after the other don't fit each other for a moment.
    if (!fit(own, chain[0].getPublicKey())) {
      throw new IOException(
          "The key in %s isn't that of the first certificate in %s; name files that go together"
              .formatted(key, certificates));
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("own", own, password.toCharArray(), chain);
    return store;
  }

  private static boolean fit(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
    if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    byte[] text = {1};
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

  private static String text(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("%s is too long for a file of keys".formatted(file));
    }
    return new String(Files.readAllBytes(file), US_ASCII);
  }

  private static byte[] bytes(String base64) {
    return Base64.getMimeDecoder().decode(base64);
  }
}
