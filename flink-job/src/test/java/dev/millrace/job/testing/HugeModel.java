package dev.millrace.job.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** An archive of 2 MB that asks for an array of 1.6 GB, as one of little else but zeros would. */
public final class HugeModel {

  private static final int NARROW = 21;
  private static final int WIDE = 20_000;
  private static final int BYTES = 2 << 20;

  private HugeModel() {}

  /** Publishes one as {@link TellingModels} does. */
  public static void publish(Path directory, long round) throws IOException {
    Path archive = TellingModels.publish(directory, round).archive();
    InitialModel narrow = ModelEngine.named("dl4j").define(mlp());
    Map<String, byte[]> entries = entries(archive);
    entries.put("configuration.json", widened(narrow.spec().configuration()).getBytes(UTF_8));
    entries.put("coefficients.bin", lengthened(entries.get("coefficients.bin")));
    write(entries, archive);
  }

  private static void write(Map<String, byte[]> entries, Path archive) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue());
      }
    }
  }

  /** Publishes one whose first layer is within 980 others, all of DL4J's own classes. */
  static void publishNested(Path directory, long round) throws IOException {
    Path archive = TellingModels.publish(directory, round).archive();
    Map<String, byte[]> entries = entries(archive);
    String json = new String(entries.get("configuration.json"), UTF_8);
    int layer = json.indexOf('{', json.indexOf("\"layer\""));
    int end = layer;
    for (int depth = 0; depth > 0 || end == layer; end++) {
      depth += json.charAt(end) == '{' ? 1 : json.charAt(end) == '}' ? -1 : 0;
    }
    String wrapper =
        "{\"@class\":\"org.deeplearning4j.nn.conf.layers.misc.FrozenLayer\",\"layer\":";
    String deep =
        json.substring(0, layer)
            + wrapper.repeat(980)
            + json.substring(layer, end)
            + "}".repeat(980)
            + json.substring(end);
    entries.put("configuration.json", deep.getBytes(UTF_8));
    write(entries, archive);
  }

  private static ModelDefinition mlp() {
    return new ModelDefinition.BuiltIn(
        "mlp", TellingModels.SHAPE, List.of(NARROW, NARROW), List.of(), "sgd", 0.1, 0.9, 0, 1);
  }

  private static String widened(String configuration) {
    return configuration
        .replace("\"nin\" : " + NARROW, "\"nin\" : " + WIDE)
        .replace("\"nout\" : " + NARROW, "\"nout\" : " + WIDE);
  }

  /** Says that it holds the wide network's parameters: all longs that tell their number. */
  private static byte[] lengthened(byte[] array) {
    int features = TellingModels.SHAPE.features();
    int outputs = TellingModels.SHAPE.outputs();
    long told = (long) features * outputs + outputs;
    long wide = (long) features * WIDE + WIDE + (long) WIDE * WIDE + WIDE;
    ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(array, BYTES));
    for (int at = 0; at < array.length - (told + 2) * Float.BYTES; at++) {
      if (bytes.getLong(at) == told) {
        bytes.putLong(at, wide + (long) WIDE * outputs + outputs);
      }
    }
    return bytes.array();
  }

  private static Map<String, byte[]> entries(Path archive) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    return entries;
  }
}
