package dev.millrace.model.torch;

import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.TemporaryFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bytedeco.pytorch.JitModule;

/**
 * A TorchScript archive, whoever wrote it, of which nothing is used before it is checked. libtorch
 * looks at no checksum: of an archive with one bit flipped it makes another model. So it gets a
 * copy of what was read and found whole.
 *
 * <p>An archive of ours lists its entries with their hashes, so that none can get lost or be taken
 * for another.
 */
final class CheckedArchive implements AutoCloseable {

  /** Where Python's {@code _extra_files} are; ours have names of their own there. */
  static final String EXTRA = "extra/";

  private static final long MOST_INFLATED = 256L << 20;
  private static final int MOST_CHECKSUMS = 8 << 20;

  private final ArchiveEntries entries;
  private final String root;
  private final Set<String> names;

  private CheckedArchive(ArchiveEntries entries, String root, Set<String> names) {
    this.entries = entries;
    this.root = root;
    this.names = names;
  }

  /**
   * Reads all of it once.
   *
   * @throws IOException if it is no TorchScript archive, or damaged; the message doesn't name it
   */
  static CheckedArchive open(Path file) throws IOException {
    ArchiveEntries entries = ArchiveEntries.open(file);
    try {
      String root = root(entries.names());
      CheckedArchive archive =
          new CheckedArchive(entries, root, ArchiveHashes.relative(entries.names(), root));
      archive.requireTorchScript();
      archive.requireBounded();
      archive.requireOwnHashes();
      return archive;
    } catch (IOException | RuntimeException e) {
      entries.close();
      throw e;
    }
  }

  /** Whether it is TorchScript's, by the names of its entries. */
  static boolean recognizes(ArchiveEntries archive) {
    return archive.find("constants.pkl").isPresent() && archive.find("data.pkl").isPresent();
  }

  /** The folder that all entries are in. */
  private static String root(List<String> names) throws IOException {
    if (names.contains("configuration.json")) {
      throw new IOException("it is an archive of DL4J; take the engine dl4j");
    }
    List<String> roots =
        names.stream().map(name -> name.substring(0, name.indexOf('/') + 1)).distinct().toList();
    if (roots.size() != 1 || roots.get(0).isEmpty()) {
      throw new IOException("it is no TorchScript archive: its entries aren't in one folder");
    }
    return roots.get(0);
  }

  private void requireTorchScript() throws IOException {
    if (names.contains("data.pkl") && !names.contains("constants.pkl")) {
      throw new IOException(
          "it has tensors alone, and no code: it is of torch.save; save the model with"
              + " torch.jit.script(model).save(file)");
    }
    for (String needed : List.of("data.pkl", "constants.pkl")) {
      if (!names.contains(needed)) {
        throw new IOException(
            "it is no TorchScript archive: it has no entry %s%s".formatted(root, needed));
      }
    }
  }

  private void requireBounded() throws IOException {
    long left = MOST_INFLATED;
    for (String name : names) {
      left -= entries.mostInflatedBytes(root + name);
      if (left < 0) {
        throw new IOException(
            "with its entry %s compressed entries have more than %s bytes"
                .formatted(name, MOST_INFLATED));
      }
    }
  }

  /**
   * Requires the hashes of archives of ours; those of others are held to the checksums of their zip
   * alone.
   */
  private void requireOwnHashes() throws IOException {
    boolean ours =
        ModelFacts.isOurs(extra(ModelFacts.NAME)) || extra(ArchiveHashes.NAME).isPresent();
    if (!ours) {
      entries.requireWhole();
      return;
    }
    byte[] hashes =
        entries
            .bytes(root + EXTRA + ArchiveHashes.NAME, MOST_CHECKSUMS)
            .orElseThrow(
                () -> new IOException("it has no entry %s%s".formatted(EXTRA, ArchiveHashes.NAME)));
    TreeMap<String, String> found = new TreeMap<>();
    for (String name : names) {
      if (!name.equals(EXTRA + ArchiveHashes.NAME)) {
        found.put(name, entries.read(root + name, ArchiveHashes::of));
      }
    }
    ArchiveHashes.requireSame(ArchiveHashes.read(hashes), found);
  }

  /** One of Python's {@code _extra_files}. */
  Optional<byte[]> extra(String name) throws IOException {
    return entries.bytes(root + EXTRA + name);
  }

  boolean hasExtra(String name) {
    return names.contains(EXTRA + name);
  }

  /** Reads one of the extra files that is there. */
  <T> T readExtra(String name, ArchiveEntries.Content<T> content) throws IOException {
    return entries.read(root + EXTRA + name, content);
  }

  /** Returns how long such a file may be, by what it takes of the archive. */
  long mostBytesOfExtra(String name) {
    return entries.mostBytes(root + EXTRA + name);
  }

  /**
   * Loads the module, into the caller's {@code PointerScope}.
   *
   * @throws IOException if libtorch can't load it
   */
  JitModule load() throws IOException {
    Path copy = TemporaryFiles.file("millrace-archive-", ".pt");
    try {
      copyTo(copy);
      return ModuleArchive.load(copy);
    } catch (RuntimeException e) {
      throw new IOException("libtorch can't load it: " + TorchMessage.of(e), e);
    } finally {
      Files.delete(copy);
    }
  }

  private void copyTo(Path copy) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(copy)))) {
      // Weights hardly get smaller, and it is read once.
      zip.setLevel(Deflater.NO_COMPRESSION);
      for (String name : names) {
        if (!name.startsWith(EXTRA)) {
          entries.read(
              root + name,
              in -> {
                zip.putNextEntry(new ZipEntry("model/" + name));
                return in.transferTo(zip);
              });
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
