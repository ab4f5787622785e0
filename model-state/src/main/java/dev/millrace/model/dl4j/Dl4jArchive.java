package dev.millrace.model.dl4j;

import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Standardization;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The contents of an archive in the format of DL4J's {@link ModelSerializer}. It is not read by
 * that class, which would deserialize any Java object in it, and not written by it, which fails to
 * add a normalizer.
 *
 * @param configuration JSON
 * @param updaterState empty if there is none
 * @param statisticsOrNull where the archive has a normalizer
 */
record Dl4jArchive(
    String configuration,
    float[] parameters,
    float[] updaterState,
    FeatureStatistics statisticsOrNull) {

  /** An entry of ours, which DL4J passes over: the statistics that the normalizer comes from. */
  private static final String STATISTICS_ENTRY = "millrace/featureStatistics.bin";

  /**
   * @throws IOException if the file can't be read or isn't such an archive
   */
  static Dl4jArchive read(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      byte[] parameters = require(zip, ModelSerializer.COEFFICIENTS_BIN);
      Optional<byte[]> updaterState = entry(zip, ModelSerializer.UPDATER_BIN);
      return new Dl4jArchive(
          new String(require(zip, ModelSerializer.CONFIGURATION_JSON), StandardCharsets.UTF_8),
          floats(parameters, ModelSerializer.COEFFICIENTS_BIN),
          updaterState.isPresent()
              ? floats(updaterState.get(), ModelSerializer.UPDATER_BIN)
              : new float[0],
          readStatistics(zip));
    }
  }

  /**
   * The network's configuration alone, as JSON.
   *
   * @throws IOException if the file can't be read or isn't such an archive
   */
  static String readConfiguration(Path file) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return new String(require(zip, ModelSerializer.CONFIGURATION_JSON), StandardCharsets.UTF_8);
    }
  }

  void write(Path file) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      write(
          zip, ModelSerializer.CONFIGURATION_JSON, configuration.getBytes(StandardCharsets.UTF_8));
      write(zip, ModelSerializer.COEFFICIENTS_BIN, parameters);
      if (updaterState.length > 0) {
        write(zip, ModelSerializer.UPDATER_BIN, updaterState);
      }
      if (statisticsOrNull != null) {
        write(
            zip,
            ModelSerializer.NORMALIZER_BIN,
            Normalizers.write(statisticsOrNull.standardization()));
        zip.putNextEntry(new ZipEntry(STATISTICS_ENTRY));
        DataOutputStream out = new DataOutputStream(zip);
        FeatureStatistics.WIRE.write(statisticsOrNull, out);
        out.flush();
      }
    }
  }

  private static FeatureStatistics readStatistics(ZipFile zip) throws IOException {
    Optional<byte[]> normalizer = entry(zip, ModelSerializer.NORMALIZER_BIN);
    if (normalizer.isEmpty()) {
      return null;
    }
    Standardization standardization = Normalizers.read(normalizer.get());
    Optional<byte[]> bytes = entry(zip, STATISTICS_ENTRY);
    if (bytes.isPresent()) {
      FeatureStatistics ours =
          FeatureStatistics.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes.get())));
      // Somebody may have put in another normalizer since.
      if (same(ours.standardization(), standardization)) {
        return ours;
      }
    }
    return Normalizers.statistics(standardization);
  }

  private static boolean same(Standardization one, Standardization other) {
    return Arrays.equals(one.mean(), other.mean()) && Arrays.equals(one.scale(), other.scale());
  }

  private static void write(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
  }

  private static void write(ZipOutputStream zip, String name, float[] values) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(zip));
    try (INDArray array = Nd4j.createFromArray(values)) {
      Nd4j.write(array, out);
    }
    out.flush();
  }

  private static byte[] require(ZipFile zip, String name) throws IOException {
    return entry(zip, name).orElseThrow(() -> new FileNotFoundException("it has no entry " + name));
  }

  private static Optional<byte[]> entry(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name);
    if (entry == null) {
      return Optional.empty();
    }
    try (InputStream in = zip.getInputStream(entry)) {
      return Optional.of(in.readAllBytes());
    }
  }

  private static float[] floats(byte[] bytes, String name) throws IOException {
    try (INDArray array = Nd4j.read(new DataInputStream(new ByteArrayInputStream(bytes)))) {
      if (array.dataType() != DataType.FLOAT) {
        throw new IOException(
            ("its entry %s holds values of type %s, not FLOAT; convert the network with"
                    + " convertDataType(DataType.FLOAT)")
                .formatted(name, array.dataType()));
      }
      float[] values = new float[Math.toIntExact(array.length())];
      new NativeFloats(array).read(0, values, 0, values.length);
      return values;
    } catch (RuntimeException e) {
      throw new IOException("its entry %s is damaged: %s".formatted(name, e.getMessage()), e);
    }
  }
}
