package dev.millrace.snapshot;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Pem;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/**
 * The public keys of those whose models are taken. Where there are some, a model that none of them
 * has signed is refused; where there are none, nothing is asked.
 *
 * @param keys any of them will do, so that a new key can be trusted before it signs
 */
public record TrustedKeys(List<PublicKey> keys) implements Serializable {

  /** No keys: these ask nothing. */
  public static final TrustedKeys NONE = new TrustedKeys(List.of());

  public TrustedKeys {
    keys = List.copyOf(keys);
  }

  /**
   * Reads keys.
   *
   * @param places PEM files, each with one or more, and directories whose files are such
   * @throws IOException if one can't be read or has no key, naming it
   */
  public static TrustedKeys read(List<Path> places) throws IOException {
    List<PublicKey> keys = new ArrayList<>();
    for (Path place : places) {
      for (Path file : files(place)) {
        keys.addAll(Pem.publicKeys(file, ModelSigner.ALGORITHM));
      }
    }
    return new TrustedKeys(keys);
  }

  private static List<Path> files(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new IOException("There is no file of keys " + place);
    }
    if (!Files.isDirectory(place)) {
      return List.of(place);
    }
    try (Stream<Path> all = Files.list(place)) {
      // What begins with a point is of the one who put the files there, as Kubernetes does.
      List<Path> files =
          all.filter(Files::isRegularFile)
              .filter(file -> !file.getFileName().toString().startsWith("."))
              .sorted()
              .toList();
      if (files.isEmpty()) {
        throw new IOException("The directory of keys %s is empty".formatted(place));
      }
      return files;
    }
  }

  public boolean areSome() {
    return !keys.isEmpty();
  }

  /**
   * Checks that one of the keys has signed a model.
   *
   * @param described beside the archive
   * @param archive a copy that nobody else can change
   * @throws InvalidModelException if none has, or if the description is another than the archive's
   * @throws IOException if the archive can't be read
   */
  public void require(SnapshotDescription described, Path archive) throws IOException {
    if (keys.isEmpty()) {
      return;
    }
    if (described.signature() == null) {
      throw new InvalidModelException(
          "it isn't signed, and only models that a trusted key has signed are taken; give its job a"
              + " key to sign with");
    }
    byte[] statement = ModelSigner.statement(described.version(), ArchiveLabel.sha256(archive));
    if (!haveSigned(statement, described.signature())) {
      throw new InvalidModelException(
          "none of the %s trusted keys has signed it as it is; it was changed, or add the key of its"
                  .formatted(keys.size())
              + " job to the trusted ones");
    }
    SnapshotDescription own =
        ArchiveLabel.read(archive)
            .orElseThrow(
                () -> new InvalidModelException("its archive has no description to compare"));
    if (!own.asWritten().equals(described.asWritten())) {
      throw new InvalidModelException(
          "its description isn't the one that was signed with it; publish it again");
    }
  }

  /**
   * Whether one of the keys has signed an update of a model, or there are none.
   *
   * @param signature in Base64; empty where it isn't signed
   */
  public boolean trustUpdate(byte[] update, String signature) {
    return keys.isEmpty() || haveSigned(ModelSigner.updateStatement(update), signature);
  }

  private boolean haveSigned(byte[] statement, String signature) {
    return keys.stream().anyMatch(key -> verifies(key, statement, signature));
  }

  private static boolean verifies(PublicKey key, byte[] statement, String signature) {
    try {
      Signature verifier = Signature.getInstance(ModelSigner.ALGORITHM);
      verifier.initVerify(key);
      verifier.update(statement);
      return verifier.verify(Base64.getDecoder().decode(signature));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // Bytes that are no signature.
      return false;
    }
  }
}
