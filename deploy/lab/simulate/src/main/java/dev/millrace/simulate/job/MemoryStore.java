package dev.millrace.simulate.job;

import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.simulate.time.Chance;
import dev.millrace.snapshot.SnapshotStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What somebody sees of a place of models in memory. What is asked for takes time, and may fail:
 * before it is done, or after.
 */
final class MemoryStore implements SnapshotStore {

  private static final long MILLI = 1_000;

  private final ModelPlace place;
  private final Chance chance;
  private final String location;
  private final Defect defect;
  private final Consumer<WrittenFile> written;
  private final Map<String, Chance> chances = new HashMap<>();
  private Path file;

  /**
   * @param written is told of each file that is there from now on
   */
  MemoryStore(
      ModelPlace place,
      Chance chance,
      String location,
      Defect defect,
      Consumer<WrittenFile> written) {
    this.place = place;
    this.chance = chance;
    this.location = location;
    this.defect = defect;
    this.written = written;
  }

  /** Each file has a chance of its own; claims together, since no two have one name. */
  private void takeTime(String name) {
    place.use();
    Chance own = chances.computeIfAbsent(name.startsWith("writer-") ? "" : name, chance::at);
    TimedFiber.take(own.anyScale(MILLI, place.longest()));
  }

  private void mayFail(String what) throws IOException {
    if (place.fails() && chance.says(0.5)) {
      place.breaks();
      throw InjectedException.io("the store doesn't " + what);
    }
  }

  @Override
  public void put(String name, Content content) throws IOException {
    byte[] bytes = defect.store(name, bytes(content));
    byte[] over = place.files().get(name);
    takeTime(name);
    mayFail("begin to write");
    if (bytes != null) {
      place.put(name, bytes);
      written.accept(new WrittenFile(name, bytes, over));
    }
    takeTime(name);
    mayFail("say that it has written");
  }

  /** Reads through one file for all: to make and delete one each time takes most of a run. */
  private byte[] bytes(Content content) throws IOException {
    if (file == null) {
      file = TemporaryFiles.file("simulated-", ".part");
    }
    content.writeTo(file);
    return Files.readAllBytes(file);
  }

  /** Nothing is asked for any more. */
  void close() {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public InputStream read(String name) throws IOException {
    takeTime(name);
    mayFail("read");
    byte[] bytes = place.files().get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public List<String> names() throws IOException {
    takeTime("");
    mayFail("list");
    return new ArrayList<>(place.files().keySet());
  }

  @Override
  public void delete(String name) throws IOException {
    takeTime(name);
    mayFail("delete");
    place.delete(name);
  }

  @Override
  public String locate(String name) {
    return location + "/" + name;
  }

  @Override
  public void clean() throws IOException {
    takeTime("");
    mayFail("begin");
  }
}
