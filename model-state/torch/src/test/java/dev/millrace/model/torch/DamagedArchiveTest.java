package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives that aren't what was written, or that nobody should have written. */
final class DamagedArchiveTest {

  private static final ExampleShape SHAPE = new ExampleShape(4, 3, Target.CLASSIFICATION);
  private static final int FLIPS = 150;

  @TempDir private Path directory;

  private Path whole;

  @BeforeEach
  void write() throws IOException {
    InitialModel model =
        InitialModels.of(new BuiltIn("mlp", SHAPE, List.of(8), List.of(), Learning.UNSAID, 42));
    FeatureStatistics statistics = new FeatureStatistics(4);
    statistics.add(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2);
    whole = directory.resolve("whole.zip");
    ArchiveWriter.write(
        TestModules.global(model, statistics, 7), Optional.of("{\"said\":true}"), whole);
  }

  /** libtorch itself takes a quarter of such archives for other networks. */
  @Test
  void aFlippedBitIsNeverAnotherModel() throws Exception {
    ArchivedModel expected = InitialModels.archived(whole);
    assertThat(refusedOfFlipped(whole, expected)).isGreaterThan(FLIPS / 2);
  }

  /** Its zip has checksums, though no list of its entries. */
  @Test
  void norIsOneInWhatPythonWrote() throws Exception {
    Path file = directory.resolve("network.pt");
    try (InputStream in = getClass().getResourceAsStream("/python-network.pt")) {
      Files.copy(in, file);
    }

    assertThat(refusedOfFlipped(file, InitialModels.archived(file))).isGreaterThan(FLIPS / 2);
  }

  private int refusedOfFlipped(Path file, ArchivedModel expected) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Path flipped = directory.resolve("flipped.zip");
    long seed = Seeds.next();
    Random random = new Random(seed);
    int refused = 0;
    for (int attempt = 0; attempt < FLIPS; attempt++) {
      int at = random.nextInt(bytes.length);
      int bit = 1 << random.nextInt(8);
      bytes[at] ^= (byte) bit;
      Files.write(flipped, bytes);
      bytes[at] ^= (byte) bit;
      try {
        ArchivedModel read = InitialModels.archived(flipped);
        assertThat(read.vector())
            .as("seed %d, bit %d of byte %d", seed, bit, at)
            .isEqualTo(expected.vector());
        assertThat(read.configuration())
            .as("seed %d, bit %d of byte %d", seed, bit, at)
            .isEqualTo(expected.configuration());
      } catch (InvalidModelException e) {
        assertThat(e).as("seed %d", seed).hasMessageContaining(flipped.toString());
        refused++;
      }
    }
    return refused;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 0.5, 0.99})
  void aTruncatedOneIsRefused(double part) throws IOException {
    byte[] bytes = Files.readAllBytes(whole);
    Path cut =
        Files.write(directory.resolve("cut.pt"), Arrays.copyOf(bytes, (int) (part * bytes.length)));

    assertRefused(cut, "cut off");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data.pkl",
        "data/1",
        "code/__torch__/dev/millrace.py",
        "extra/millrace/updaterState.bin",
        "extra/millrace/checksums.json",
        "extra/millrace/model.json"
      })
  void whatIsMissingIsNamed(String entry) throws IOException {
    assertRefused(with(entry, null), "it has no entry", entry);
  }

  @Test
  void whatWasPutInItsPlaceIsRefused() throws IOException {
    assertRefused(with("data/1", new byte[] {1, 2, 3}), "data/1 isn't what was written");
    assertRefused(with("extra/millrace/more.bin", new byte[1]), "more.bin isn't what was written");
  }

  @Test
  void otherFilesAreToldFromArchives() throws IOException {
    assertRefused(zip(Map.of("configuration.json", new byte[2])), "take the engine dl4j");
    assertRefused(
        zip(Map.of("weights/data.pkl", new byte[2], "weights/version", new byte[1])),
        "it is of torch.save",
        "torch.jit.script(model).save(file)");
    assertRefused(
        zip(Map.of("a/x", new byte[1], "b/y", new byte[1])), "it is no TorchScript archive");
    assertRefused(
        zip(Map.of("a/data.pkl", new byte[1], "a/constants.pkl", new byte[1])),
        "libtorch can't load it");
    assertRefused(directory.resolve("absent.pt"), "there is no such file");
    assertRefused(directory, "it is a directory");
  }

  /** A few bytes that would fill a disk. */
  @Test
  void aBombIsRefused() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    entries.put("a/constants.pkl", new byte[1]);
    byte[] zeros = new byte[60_000_000];
    for (int i = 0; i < 5; i++) {
      entries.put("a/data%s.pkl".formatted(i), zeros);
    }
    entries.put("a/data.pkl", new byte[1]);

    assertRefused(zip(entries), "entries have more than");
  }

  /** Python compresses code, and large networks have much of it. */
  @Test
  void muchCompressedCodeIsTaken() throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    byte[] code = new byte[400_000];
    new Random(1).nextBytes(code);
    try (ZipFile zip = new ZipFile(plain().toFile())) {
      for (ZipEntry each : zip.stream().toList()) {
        entries.put(each.getName(), zip.getInputStream(each).readAllBytes());
      }
    }
    String first = entries.keySet().iterator().next();
    String root = first.substring(0, first.indexOf('/'));
    entries.put(root + "/code/more.bin", code);

    assertThat(
            InitialModels.of(
                    new Archive(zip(entries), new ExampleShape(4, 3, Target.CLASSIFICATION)))
                .vector())
        .isNotEmpty();
  }

  /** Of nobody who writes hashes. */
  private Path plain() {
    Path file = directory.resolve("plain.pt");
    try (PointerScope scope = new PointerScope()) {
      TestModules.dense(4, 3).save(file.toString());
    }
    return file;
  }

  private void assertRefused(Path file, String... causes) {
    assertThatThrownBy(() -> InitialModels.of(new Archive(file, SHAPE)))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(file.toString())
        .satisfies(refused -> assertThat(refused.getMessage()).contains(causes));
  }

  /** The whole archive with one entry replaced, or left out where its content is null. */
  private Path with(String entry, byte[] content) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(whole.toFile())) {
      for (ZipEntry each : zip.stream().toList()) {
        entries.put(each.getName(), zip.getInputStream(each).readAllBytes());
      }
    }
    if (content == null) {
      assertThat(entries.remove("model/" + entry)).isNotNull();
    } else {
      entries.put("model/" + entry, content);
    }
    return zip(entries);
  }

  private Path zip(Map<String, byte[]> entries) throws IOException {
    Path file = directory.resolve("made.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
    return file;
  }
}
