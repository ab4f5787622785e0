package dev.millrace.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.testing.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may write to a place can't have another model believed. */
final class SignedSnapshotsTest {

  private static final byte[] CONTENT = "what a model is made of".getBytes(UTF_8);
  private static final byte[] OTHER = "what somebody else made".getBytes(UTF_8);

  @TempDir private Path temporary;

  private Path directory;
  private ZipSnapshots snapshots;
  private SigningKeys job;
  private SigningKeys stranger;

  @BeforeEach
  void open() throws IOException {
    directory = Files.createDirectory(temporary.resolve("models"));
    snapshots = new ZipSnapshots(directory);
    job = SigningKeys.create(temporary, "job");
    stranger = SigningKeys.create(temporary, "stranger");
  }

  @AfterEach
  void close() throws IOException {
    snapshots.close();
  }

  @Test
  void aSignedModelIsTakenAlsoWhenItIsCommittedAndRolledBackTo() throws IOException {
    SnapshotWriter writer = writer(job, CONTENT);
    writer.write(TestModels.model(0, 1), Optional.empty());
    assertTaken(trusted(job));

    writer.commit(new ModelVersion(0, 1), 7);
    assertTaken(trusted(job));

    writer.write(TestModels.model(0, 2), Optional.empty());
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(0, 1));
    assertThat(newest().description().version()).isEqualTo(new ModelVersion(0, 1));
    assertTaken(trusted(job));
  }

  @Test
  void anUnsignedModelIsRefusedWhereAKeyIsGivenOnly() throws IOException {
    snapshots.publish(0, 1);

    assertRefused(trusted(job), "it isn't signed", "a key to sign with");
    assertTaken(TrustedKeys.NONE);
  }

  @Test
  void aModelOfAnotherKeyIsRefused() throws IOException {
    writer(stranger, CONTENT).write(TestModels.model(0, 1), Optional.empty());

    assertRefused(trusted(job), "none of the 1 trusted keys");
  }

  @Test
  void anyOfSeveralKeysWillDoSoThatTheyCanBeRotated() throws IOException {
    SigningKeys next = SigningKeys.create(temporary, "next");
    Path keys = Files.createDirectory(temporary.resolve("keys"));
    Files.copy(job.publicKey(), keys.resolve("old.pub"));
    Files.copy(next.publicKey(), keys.resolve("new.pub"));
    Files.writeString(keys.resolve(".hidden"), "no key");
    TrustedKeys both = TrustedKeys.read(List.of(keys));
    TrustedKeys oneFile =
        TrustedKeys.read(
            List.of(
                Files.writeString(
                    temporary.resolve("both.pub"),
                    Files.readString(job.publicKey()) + Files.readString(next.publicKey()))));

    writer(job, CONTENT).write(TestModels.model(0, 1), Optional.empty());
    assertTaken(both);
    assertTaken(oneFile);
    writer(next, CONTENT).write(TestModels.model(0, 2), Optional.empty());
    assertTaken(both);
    assertTaken(oneFile);
    assertRefused(trusted(job), "none of the 1 trusted keys");
  }

  @Test
  void aForgedArchiveIsRefused() throws IOException {
    writer(job, CONTENT).write(TestModels.model(0, 1), Optional.empty());
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    try (ZipSnapshots forged = new ZipSnapshots(elsewhere)) {
      forged.publish(0, 1, OTHER);
      replace(elsewhere.resolve("model-0.1.zip"), directory.resolve("model-0.1.zip"));
    }

    assertRefused(trusted(job), "none of the 1 trusted keys");
  }

  @Test
  void aForgedDescriptionIsRefused() throws IOException {
    writer(job, CONTENT).write(TestModels.model(0, 1), Optional.empty());
    Path description = directory.resolve("model-0.1.json");
    String whole = Files.readString(description);

    Files.writeString(description, whole.replace("\"test\"", "\"torch\""));
    assertRefused(trusted(job), "isn't the one that was signed with it");
    Files.writeString(
        description, whole.replaceFirst("\"signature\" : \"..", "\"signature\" : \"xx"));
    assertRefused(trusted(job), "none of the 1 trusted keys");
    Files.writeString(description, whole.replaceFirst("\"signature\" : \"", "\"signature\" : \"?"));
    assertRefused(trusted(job), "none of the 1 trusted keys");
  }

  /** An old model would be the newest. */
  @Test
  void aSignedModelUnderAnotherVersionIsRefused() throws IOException {
    writer(job, CONTENT).write(TestModels.model(0, 1), Optional.empty());
    PublishedSnapshot old = newest();
    SnapshotDescription newer =
        SnapshotDescription.fromJson(
            old.description().toJson().replaceFirst("\"round\" : 1", "\"round\" : 2"));
    assertThat(newer.version()).isEqualTo(new ModelVersion(0, 2));

    TrustedKeys keys = trusted(job);
    assertThatThrownBy(() -> keys.require(newer, old.archive()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("none of the 1 trusted keys");
  }

  @Test
  void keysThatAreNotThereAreNamed() throws IOException {
    Path absent = temporary.resolve("absent.pub");
    Path empty = Files.createDirectory(temporary.resolve("empty"));

    assertThatThrownBy(() -> TrustedKeys.read(List.of(absent)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(absent.toString());
    assertThatThrownBy(() -> TrustedKeys.read(List.of(empty)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is empty");
    assertThat(TrustedKeys.read(List.of()).areSome()).isFalse();
  }

  private SnapshotWriter writer(SigningKeys keys, byte[] content) throws IOException {
    return snapshots.writer(content, 10, Optional.of(ModelSigner.of(keys.privateKey())));
  }

  private static TrustedKeys trusted(SigningKeys keys) throws IOException {
    return TrustedKeys.read(List.of(keys.publicKey()));
  }

  private PublishedSnapshot newest() throws IOException {
    return snapshots.feed().poll().orElseThrow();
  }

  private void assertTaken(TrustedKeys keys) throws IOException {
    PublishedSnapshot newest = newest();
    assertThatCode(() -> keys.require(newest.description(), newest.archive()))
        .doesNotThrowAnyException();
  }

  private void assertRefused(TrustedKeys keys, String... told) throws IOException {
    PublishedSnapshot newest = newest();
    assertThatThrownBy(() -> keys.require(newest.description(), newest.archive()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(told);
  }

  private static void replace(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }
}
