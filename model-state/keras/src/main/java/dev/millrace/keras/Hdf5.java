package dev.millrace.keras;

import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.Loader;

/** The HDF5 library, and which files are its. */
final class Hdf5 {

  /**
   * What a file begins with. HDF5 allows for a block of another format before it; Keras doesn't.
   */
  private static final byte[] SIGNATURE = {(byte) 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

  /** Keras 3 writes its own format, a zip, where the file's name ends in .keras. */
  private static final byte[] ZIP = {'P', 'K'};

  private Hdf5() {}

  /**
   * Makes sure that there is such a file, and that HDF5 can be used.
   *
   * @throws InvalidModelException if there is no file, or one of another format
   * @throws UnusableEngineException if HDF5's native code can't be loaded
   */
  static void require(Path file) {
    byte[] begin = begin(file);
    if (startsWith(begin, ZIP)) {
      throw new InvalidModelException(
          "%s is a zip, as Keras 3 writes them, and no HDF5; save it with Keras 2 as model.h5"
              .formatted(file));
    }
    if (!startsWith(begin, SIGNATURE)) {
      throw new InvalidModelException(
          "%s is no HDF5 file; name one that model.save(\"model.h5\") of Keras has written"
              .formatted(file));
    }
    load();
  }

  /** Whether an exception is HDF5's own: these begin with the name of its function. */
  static boolean hasFailed(RuntimeException e) {
    return e.getMessage() != null && e.getMessage().startsWith("H5");
  }

  private static byte[] begin(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(SIGNATURE.length);
    } catch (IOException e) {
      throw new InvalidModelException("%s can't be read: %s".formatted(file, reason(file, e)), e);
    }
  }

  private static String reason(Path file, IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    if (e instanceof AccessDeniedException) {
      return "this user may not read it";
    }
    return Files.isDirectory(file) ? "it is a directory" : e.getMessage();
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static void load() {
    try {
      Loader.load(hdf5.class);
    } catch (LinkageError e) {
      throw new UnusableEngineException(
          ("HDF5's native code can't be loaded on %s: %s. opt/keras needs its jar for this platform,"
                  + " and there is none for macOS on arm64: import on another machine, with a"
                  + " distribution that was built there; the archive can be trained anywhere")
              .formatted(Loader.getPlatform(), e.getMessage()),
          e);
    }
    // Its exceptions tell enough, and it writes its own stack to the screen otherwise.
    org.bytedeco.hdf5.Exception.dontPrint();
  }
}
