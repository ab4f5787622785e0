package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.RestoredProperties;
import dev.millrace.cli.console.WorkDirectory;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LocalJobTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  @Test
  void flinkWritesToTheWorkDirectory() {
    try (WorkDirectory work = WorkDirectory.open(directory, "train")) {
      String temporary = work.temporary().toString();

      assertThat(LocalJob.clusterConfiguration(work, 2).toMap())
          .extractingByKeys("io.tmp.dirs", "web.tmpdir", "user.artifacts.base-dir")
          .isEqualTo(List.of(temporary, temporary, temporary));
    }
  }

  /** Flink throws between the end of its cluster and the news of it. */
  @Test
  void aClusterThatHasEndedCountsNothing() throws Exception {
    JobClient client =
        (JobClient)
            Proxy.newProxyInstance(
                JobClient.class.getClassLoader(),
                new Class<?>[] {JobClient.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("getJobExecutionResult")) {
                    return new CompletableFuture<>();
                  }
                  throw new IllegalStateException("MiniCluster is not yet running");
                });

    assertThat(new LocalJob(client).count("records")).isZero();
  }
}
