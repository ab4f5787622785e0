package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Savepoints of others; those of our own are read by tests of whole jobs. */
final class RocksEntriesTest {

  @TempDir private Path outside;

  @Test
  void anAbsoluteNameIsRefused() {
    assertRefused(outside.resolve("file"));
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "below/file"})
  void aNameThatLeadsElsewhereIsRefused(String name) {
    assertRefused(Path.of(name));
  }

  /** It would lie beside the temporary directory that the files are copied to. */
  @Test
  void aNameThatClimbsIsRefused() {
    Path climbing = Path.of("..", "millrace-test-" + UUID.randomUUID());

    assertRefused(climbing);

    assertThat(Path.of(System.getProperty("java.io.tmpdir")).resolve(climbing.getFileName()))
        .doesNotExist();
  }

  private void assertRefused(Path name) {
    ByteStreamStateHandle content = new ByteStreamStateHandle("content", new byte[] {1});
    IncrementalRemoteKeyedStateHandle handle =
        new IncrementalRemoteKeyedStateHandle(
            new UUID(0, 1),
            KeyGroupRange.of(0, 1),
            1,
            List.of(),
            List.of(HandleAndLocalPath.of(content, name.toString())),
            content);

    assertThatThrownBy(
            () ->
                new RocksEntries(handle, 2)
                    .forEach(
                        List.of("state"),
                        IntSerializer.INSTANCE,
                        (state, namespace, key, in, length) -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("'%s' is no name of a file", name);
    assertThat(outside).isEmptyDirectory();
  }
}
