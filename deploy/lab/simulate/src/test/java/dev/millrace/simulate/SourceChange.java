package dev.millrace.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Puts another text into a source.
 *
 * @param now a text that it has
 * @param then what takes that text's place
 */
record SourceChange(String file, String now, String then) {

  private static final Path ROOT = Path.of("../../..");

  /** Writes the changed source; a second change of it is made to what the first wrote. */
  Path write(Path folder) {
    try {
      Path source = ROOT.resolve(file);
      Path changed = folder.resolve(source.getFileName());
      String text = Files.readString(Files.exists(changed) ? changed : source);
      if (!text.contains(now)) {
        throw new IllegalStateException(file + " hasn't \"" + now + "\": plant it another way");
      }
      return Files.writeString(changed, text.replace(now, then));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
