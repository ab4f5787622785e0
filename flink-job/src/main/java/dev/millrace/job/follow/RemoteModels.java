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

  /** How many models one look tries: the writer may delete one while it is copied. */
  private static final int ATTEMPTS = 3;

  private final SnapshotStore store;
  private final String pointer;
  private Pointer copied;

  RemoteModels(SnapshotStore store, String pointer) {
    this.store = store;
    this.pointer = pointer;
  }

  @Override
  public boolean copyTo(SnapshotStore mirror) throws IOException {
    Optional<Pointer> named = named();
    for (int attempt = 1; named.isPresent() && !named.get().equals(copied); attempt++) {
      try {
        copyTo(mirror, named.get());
        copied = named.get();
        return true;
      } catch (IOException e) {
        Optional<Pointer> again = named();
        if (again.equals(named) || attempt == ATTEMPTS) {
          throw e;
        }
        named = again;
      }
    }
    return false;
  }

  private Optional<Pointer> named() throws IOException {
    return new SnapshotCatalog(store).pointer(pointer);
  }

  private void copyTo(SnapshotStore mirror, Pointer named) throws IOException {
    // A file that is gone fails with its own reason, and not as one that can't be written.
    try (InputStream in = store.read(named.archive())) {
      mirror.put(
          named.archive(), file -> Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING));
    }
    try (InputStream in = store.read(named.description())) {
      mirror.put(named.description(), file -> Files.writeString(file, BoundedText.read(in)));
    }
    mirror.put(Pointer.LATEST, file -> Files.writeString(file, named.toJson()));
  }

  @Override
  public void close() {
    // Nothing is held between two looks.
  }
}
