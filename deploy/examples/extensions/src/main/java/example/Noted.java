package example;

import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotStoreExtension;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/** {@code noted:///directory}: a directory, and a file beside it that lists what was put there. */
public final class Noted implements SnapshotStoreExtension {

  @Override
  public String name() {
    return "noted";
  }

  @Override
  public SnapshotStore create(Map<String, String> options) {
    Path directory = Path.of(URI.create(options.get(LOCATION)).getPath());
    return new Store(SnapshotStore.directory(directory), directory);
  }

  private record Store(SnapshotStore models, Path directory) implements SnapshotStore {

    @Override
    public void put(String name, Content content) throws IOException {
      models.put(name, content);
      Files.writeString(
          directory.resolveSibling(directory.getFileName() + ".noted"),
          name + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }

    @Override
    public InputStream read(String name) throws IOException {
      return models.read(name);
    }

    @Override
    public List<String> names() throws IOException {
      return models.names();
    }

    @Override
    public void delete(String name) throws IOException {
      models.delete(name);
    }

    @Override
    public String locate(String name) {
      return models.locate(name);
    }

    @Override
    public void clean() throws IOException {
      models.clean();
    }
  }
}
