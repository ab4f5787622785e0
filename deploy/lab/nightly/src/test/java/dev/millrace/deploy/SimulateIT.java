package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No invariant of the protocol breaks in an hour of simulated jobs, of new seeds each time. */
class SimulateIT {

  private static final String SECONDS = System.getProperty("millrace.simulate.seconds", "3600");

  @Test
  void everyInvariantHoldsForAnHour() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(Distribution.script("simulate").toString(), "--seconds", SECONDS)
            .redirectErrorStream(true);
    // Maven has built it, and runs this test.
    builder.environment().put("MILLRACE_BUILD", "never");
    Process process = builder.start();
    process.getOutputStream().close();
    List<String> said = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
    }
    Figures.tell(said.get(said.size() - 1));

    assertThat(process.waitFor()).as(() -> String.join("\n", said)).isZero();
    assertThat(said.get(said.size() - 1)).contains("lost 0, doubled 0");
  }
}
