package dev.millrace.benchmark.peer;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A workload as a directory: {@code network.json} (DL4J's), {@code torch.json} (where PyTorch's
 * is), {@code shape.json}, and {@code features.bin} and {@code labels.bin}, which are float32,
 * big-endian, row after row. So every process that is measured learns from the same bytes.
 */
public final class WorkloadFiles {

  private static final String NETWORK = "network.json";
  private static final String TORCH = "torch.json";
  private static final String SHAPE = "shape.json";
  private static final String FEATURES = "features.bin";
  private static final String LABELS = "labels.bin";

  private static final ObjectMapper JSON = new ObjectMapper();

  private WorkloadFiles() {}

  /** Makes the directory if it is absent, and replaces what it has of these files. */
  public static void write(Path directory, Workload workload) throws IOException {
    writeExamples(directory, workload.examples());
    Files.writeString(directory.resolve(NETWORK), workload.networkJson());
    if (workload.torch().isPresent()) {
      JSON.writeValue(directory.resolve(TORCH).toFile(), workload.torch().get());
    }
  }

  /** Writes examples as {@link #write} does, without a network: a hold-out has none. */
  public static void writeExamples(Path directory, Examples examples) throws IOException {
    Files.createDirectories(directory);
    JSON.writeValue(directory.resolve(SHAPE).toFile(), examples.shape());
    writeFloats(directory.resolve(FEATURES), examples.features(), examples.shape().features());
    writeFloats(directory.resolve(LABELS), examples.labels(), examples.shape().outputs());
  }

  /**
   * Returns what {@link #write} wrote.
   *
   * @throws IOException if a file is absent or unreadable, or shorter or longer than {@code
   *     shape.json} says
   */
  public static Workload read(Path directory) throws IOException {
    return new Workload(
        Files.readString(directory.resolve(NETWORK)),
        readExamples(directory),
        readTorch(directory.resolve(TORCH)));
  }

  private static Optional<TorchNetwork> readTorch(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.of(JSON.readValue(Files.readString(file), TorchNetwork.class))
        : Optional.empty();
  }

  /** Reads examples as {@link #read} does, without the network. */
  public static Examples readExamples(Path directory) throws IOException {
    WorkloadShape shape = readShape(directory);
    return new Examples(
        shape,
        readFloats(directory.resolve(FEATURES), shape.examples(), shape.features()),
        readFloats(directory.resolve(LABELS), shape.examples(), shape.outputs()));
  }

  private static WorkloadShape readShape(Path directory) throws IOException {
    return JSON.readValue(Files.readString(directory.resolve(SHAPE)), WorkloadShape.class);
  }

  private static void writeFloats(Path file, float[] values, int columns) throws IOException {
    ByteBuffer row = ByteBuffer.allocate(columns * Float.BYTES);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (int from = 0; from < values.length; from += columns) {
        row.clear();
        row.asFloatBuffer().put(values, from, columns);
        while (row.hasRemaining()) {
          channel.write(row);
        }
      }
    }
  }

  private static float[] readFloats(Path file, int rows, int columns) throws IOException {
    long expected = (long) rows * columns * Float.BYTES;
    if (Files.size(file) != expected) {
      throw new IOException(
          "%s has %s bytes; %s rows of %s numbers have %s"
              .formatted(file, Files.size(file), rows, columns, expected));
    }
    float[] values = new float[Math.multiplyExact(rows, columns)];
    ByteBuffer row = ByteBuffer.allocate(columns * Float.BYTES);
    try (FileChannel channel = FileChannel.open(file)) {
      for (int from = 0; from < values.length; from += columns) {
        row.clear();
        while (row.hasRemaining()) {
          if (channel.read(row) < 0) {
            throw new EOFException(file + " became shorter while it was read");
          }
        }
        row.flip();
        row.asFloatBuffer().get(values, from, columns);
      }
    }
    return values;
  }
}
