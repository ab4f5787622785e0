package dev.millrace.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Snapshots of a directory, whose archives a test can damage, and feeds that read them. */
final class ZipSnapshots implements AutoCloseable {

  private final Path directory;
  private final List<SnapshotFeed> feeds = new ArrayList<>();

  ZipSnapshots(Path directory) {
    this.directory = directory;
  }

  SnapshotFeed feed() {
    SnapshotFeed feed = SnapshotFeed.directory(directory, Pointer.LATEST);
    feeds.add(feed);
    return feed;
  }

  void publish(long generation, long round) throws IOException {
    publish(generation, round, "what a model is made of".getBytes(UTF_8));
  }

  void publish(long generation, long round, byte[] content) throws IOException {
    writer(content, 10).write(TestModels.model(generation, round), Optional.empty());
  }

  SnapshotWriter writer(byte[] content, int keep) throws IOException {
    return writer(content, keep, Optional.empty());
  }

  SnapshotWriter writer(byte[] content, int keep, Optional<ModelSigner> signer) throws IOException {
    return new SnapshotWriter(
        SnapshotStore.directory(directory),
        new ZipEngine(content),
        Optional.empty(),
        new Retention(keep, 0, 0),
        InstantSource.system(),
        new Writers(List.of("one"), -1),
        signer);
  }

  @Override
  public void close() throws IOException {
    for (SnapshotFeed feed : feeds) {
      feed.close();
    }
  }

  /** Writes archives of one entry that isn't compressed, and one that tells the version. */
  private record ZipEngine(byte[] content) implements WritingEngine {

    @Override
    public void writeArchive(GlobalModel model, Optional<String> description, Path file)
        throws IOException {
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
        zip.setLevel(0);
        zip.putNextEntry(new ZipEntry("coefficients.bin"));
        zip.write(content);
        zip.putNextEntry(new ZipEntry(ModelEngine.DESCRIPTION_ENTRY));
        zip.write(description.orElseThrow().getBytes(UTF_8));
      }
    }
  }
}
