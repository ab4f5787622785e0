package dev.millrace.simulate.job;

import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.snapshot.SnapshotStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Models in memory. What is asked for takes time, and may fail: before it is done, or after. */
public final class MemoryStore implements SnapshotStore {

  private static final long MILLI = 1_000;

  private final Timeline timeline;
  private final Chance chance;
  private final String location;
  private final Defect defect;
  private final BiConsumer<String, byte[]> written;
  private final Map<String, byte[]> files = new TreeMap<>();
  private Path file;
  private long failsUntil;
  private long slowUntil;

  /**
   * @param written is told of each file that is there from now on
   */
  public MemoryStore(
      Timeline timeline,
      Chance chance,
      String location,
      Defect defect,
      BiConsumer<String, byte[]> written) {
    this.timeline = timeline;
    this.chance = chance;
    this.location = location;
    this.defect = defect;
    this.written = written;
  }

  /** Half of what is asked for fails for a while. */
  public void fail(long micros) {
    failsUntil = timeline.now() + micros;
  }

  /** It takes long to answer for a while. */
  public void slow(long micros) {
    slowUntil = timeline.now() + micros;
  }

  private void takeTime() {
    Worker.take(chance.anyScale(MILLI, timeline.now() < slowUntil ? 20_000 * MILLI : 200 * MILLI));
  }

  private void mayFail(String what) throws IOException {
    if (timeline.now() < failsUntil && chance.says(0.5)) {
      throw InjectedException.io("the store doesn't " + what);
    }
  }

  @Override
  public void put(String name, Content content) throws IOException {
    byte[] bytes = defect.store(name, bytes(content));
    takeTime();
    mayFail("begin to write");
    if (bytes != null) {
      files.put(name, bytes);
      written.accept(name, bytes);
    }
    takeTime();
    mayFail("say that it has written");
  }

  /** Reads through one file for all: to make and delete one each time takes most of a run. */
  private byte[] bytes(Content content) throws IOException {
    if (file == null) {
      file = Files.createTempFile("simulated-", ".part");
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
    takeTime();
    mayFail("read");
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public List<String> names() throws IOException {
    takeTime();
    mayFail("list");
    return new ArrayList<>(files.keySet());
  }

  @Override
  public void delete(String name) throws IOException {
    takeTime();
    mayFail("delete");
    files.remove(name);
  }

  @Override
  public String locate(String name) {
    return location + "/" + name;
  }

  @Override
  public void clean() throws IOException {
    takeTime();
    mayFail("begin");
  }
}
