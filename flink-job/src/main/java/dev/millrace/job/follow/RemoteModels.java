package dev.millrace.job.follow;

import dev.millrace.snapshot.BoundedText;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Models of a directory on a file system that isn't this machine's. */
final class RemoteModels implements MirroredFeed.Original {

  private final SnapshotStore store;
  private final String pointer;
  private Pointer copied;

  RemoteModels(SnapshotStore store, String pointer) {
    this.store = store;
    this.pointer = pointer;
  }

  @Override
  public boolean copyTo(SnapshotStore mirror) throws IOException {
    Optional<Pointer> named = new SnapshotCatalog(store).pointer(pointer);
    if (named.isEmpty() || named.get().equals(copied)) {
      return false;
    }
    copy(named.get().archive(), mirror, named.get().archive());
    copyText(named.get().description(), mirror, named.get().description());
    mirror.put(Pointer.LATEST, file -> Files.writeString(file, named.get().toJson()));
    copied = named.get();
    return true;
  }

  private void copy(String from, SnapshotStore mirror, String to) throws IOException {
    mirror.put(
        to,
        file -> {
          try (InputStream in = store.read(from)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
          }
        });
  }

  private void copyText(String from, SnapshotStore mirror, String to) throws IOException {
    mirror.put(
        to,
        file -> {
          try (InputStream in = store.read(from)) {
            Files.writeString(file, BoundedText.read(in));
          }
        });
  }

  @Override
  public void close() {
    // Nothing is held between two looks.
  }
}
