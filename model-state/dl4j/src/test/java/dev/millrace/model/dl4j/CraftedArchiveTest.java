package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.learning.config.Sgd;

/** Archives that somebody made to bring a process down: small, with check sums that are right. */
final class CraftedArchiveTest {

  private static final String WRAPPER =
      "{\"@class\":\"org.deeplearning4j.nn.conf.layers.misc.FrozenLayer\",\"layer\":";

  @TempDir private Path directory;

  private final ModelEngine engine = ModelEngine.named("dl4j");
  private Path whole;
  private String configuration;

  @BeforeEach
  void write() throws IOException {
    InitialModel initial =
        TestNetworks.define(
            TestNetworks.layeredJson(new Sgd(0.1), 1), TestNetworks.mlp().shape(), directory);
    whole = directory.resolve("whole.zip");
    engine.writeArchive(FuzzedArchivesTest.model(initial), Optional.empty(), whole);
    configuration =
        new String(
            ZipEntries.read(whole).get(ModelSerializer.CONFIGURATION_JSON), StandardCharsets.UTF_8);
  }

  /** DL4J's own Jackson recurses, and needs a kilobyte of stack a level. */
  @Test
  void layersInLayersAreRefusedByTheirDepth() throws IOException {
    int layer = configuration.indexOf("{", configuration.indexOf("\"layer\""));
    int end = closing(configuration, layer);
    String deep =
        configuration.substring(0, layer)
            + WRAPPER.repeat(980)
            + configuration.substring(layer, end + 1)
            + "}".repeat(980)
            + configuration.substring(end + 1);

    assertRefused(
        with(ModelSerializer.CONFIGURATION_JSON, deep.getBytes(StandardCharsets.UTF_8)),
        "nested deeper than 100 levels");
  }

  private static int closing(String json, int opening) {
    int depth = 0;
    for (int at = opening; ; at++) {
      depth += json.charAt(at) == '{' ? 1 : json.charAt(at) == '}' ? -1 : 0;
      if (depth == 0) {
        return at;
      }
    }
  }

  /** ND4J's native code divides by it, and the process ends. */
  @Test
  void aWindowThatDoesNotMoveIsRefused() throws IOException {
    String images = TestNetworks.graphOfImagesJson();
    for (String part : new String[] {"stride", "kernelSize", "dilation"}) {
      String still =
          images.replaceFirst(
              "(?s)\"%s\" : \\[ \\d+".formatted(part), "\"%s\" : [ 0".formatted(part));
      assertThat(still).isNotEqualTo(images);
      assertRefused(
          with(ModelSerializer.CONFIGURATION_JSON, still.getBytes(StandardCharsets.UTF_8)),
          "has the %s 0".formatted(part));
    }
    String back = images.replaceFirst("(?s)\"padding\" : \\[ \\d+", "\"padding\" : [ -1");
    assertRefused(
        with(ModelSerializer.CONFIGURATION_JSON, back.getBytes(StandardCharsets.UTF_8)),
        "has the padding -1");
  }

  /** 60 KB that inflate to 64 MB of JSON, which would be a gigabyte as a tree. */
  @Test
  void aConfigurationOfManyMegabytesIsRefusedUnread() throws IOException {
    byte[] arrays = new byte[60 << 20];
    for (int at = 0; at + 3 <= arrays.length; at += 3) {
      arrays[at] = '[';
      arrays[at + 1] = ']';
      arrays[at + 2] = ',';
    }

    assertRefused(
        with(ModelSerializer.CONFIGURATION_JSON, arrays), ModelSerializer.CONFIGURATION_JSON);
  }

  /** An entry that is told to be short and inflates to more. */
  @Test
  void anEntryIsHeldToTheSizeThatTheArchiveTells() throws IOException {
    byte[] zeros = new byte[1 << 20];
    byte[] zip = Files.readAllBytes(with("millrace/more.bin", zeros));
    String text = new String(zip, StandardCharsets.ISO_8859_1);
    int entry = text.lastIndexOf("PK\1\2");
    // The uncompressed size in the directory of a zip.
    Arrays.fill(zip, entry + 24, entry + 28, (byte) 0);
    zip[entry + 24] = 1;
    Path changed = Files.write(directory.resolve("short.zip"), zip);

    assertThatThrownBy(
            () -> {
              try (ArchiveEntries entries = ArchiveEntries.open(changed)) {
                entries.requireWhole();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("millrace/more.bin", "longer than its archive tells");
  }

  /** A megabyte whose zeros are the parameters of a network of a gigabyte. */
  @Test
  void zerosThatAreAHundredTimesTheFileAreRefused() throws IOException {
    assertRefused(
        with(ModelSerializer.COEFFICIENTS_BIN, new byte[200 << 20]),
        ModelSerializer.COEFFICIENTS_BIN,
        "the file has only");
  }

  private void assertRefused(Path file, String... told) {
    assertThatThrownBy(
            () -> engine.define(new ModelDefinition.Archive(file, TestNetworks.mlp().shape())))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(told);
  }

  private Path with(String entry, byte[] content) throws IOException {
    Map<String, byte[]> entries = ZipEntries.read(whole);
    entries.put(entry, content);
    return ZipEntries.write(entries, directory.resolve("crafted.zip"));
  }
}
