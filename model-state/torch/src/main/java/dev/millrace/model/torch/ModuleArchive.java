package dev.millrace.model.torch;

import dev.millrace.model.io.TemporaryFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Modules to and from TorchScript archives. libtorch loads and saves files alone, so there is a
 * temporary one in between. Modules and tensors belong to the caller's {@code PointerScope}.
 */
final class ModuleArchive {

  /** A module's code; memory is taken for no more, whatever a savepoint says. */
  private static final int MOST_BYTES = 256 << 20;

  private ModuleArchive() {}

  /**
   * Loads an archive to the CPU, without a look at its checksums: see {@link CheckedArchive}.
   *
   * @throws RuntimeException of libtorch's if it can't be loaded
   */
  static JitModule load(Path file) {
    return torch.load(file.toString(), new DeviceOptional(new Device("cpu")), false);
  }

  /** The module whose flat tensors have no values, as {@link #toText} wrote it. */
  static JitModule fromText(String text) {
    try {
      Path file = TemporaryFiles.file("millrace-module-", ".pt");
      try {
        Files.write(file, unzip(Base64.getDecoder().decode(text)));
        return load(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("A module can't be read by way of a temporary file", e);
    }
  }

  /**
   * The module as text, without the values of its parameters and buffers of floats, whose sizes are
   * zero there. The module itself is left as it was, and mustn't be in use meanwhile.
   */
  static String toText(JitModule module) {
    List<Tensor> tensors = new ArrayList<>(ModuleTensors.all(module).values());
    tensors.removeIf(tensor -> tensor.scalar_type().intern() != ScalarType.Float);
    List<Tensor> values = tensors.stream().map(Tensor::variable_data).toList();
    try {
      tensors.forEach(tensor -> tensor.set_data(torch.empty(0)));
      return Base64.getEncoder().encodeToString(zip(bytes(module)));
    } catch (IOException e) {
      throw new UncheckedIOException("A module can't be saved by way of a temporary file", e);
    } finally {
      for (int i = 0; i < tensors.size(); i++) {
        tensors.get(i).set_data(values.get(i));
      }
    }
  }

  private static byte[] bytes(JitModule module) throws IOException {
    Path directory = TemporaryFiles.directory("millrace-module-");
    // The name of the file is in the archive.
    Path file = directory.resolve("model.pt");
    try {
      module.save(file.toString());
      return Files.readAllBytes(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(directory);
    }
  }

  private static byte[] zip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] unzip(byte[] bytes) throws IOException {
    try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      byte[] read = zip.readNBytes(MOST_BYTES);
      if (zip.read() >= 0) {
        throw new IOException("the module is longer than %s bytes".formatted(MOST_BYTES));
      }
      return read;
    }
  }
}
