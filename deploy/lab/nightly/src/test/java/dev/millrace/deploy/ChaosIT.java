package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing is lost and nothing doubled in three minutes of faults, whatever dies. */
class ChaosIT {

  private static final String SEED = "7";

  @Test
  void everyRecordIsInTheModelOnceWhateverDies() throws Exception {
    List<String> said = new ArrayList<>();

    int status = chaos("180s", said);

    assertThat(status).as(String.join("\n", said)).isZero();
    assertThat(said.get(said.size() - 1)).matches("faults \\d+, records \\d+, lost 0, doubled 0");
    // Each kind comes once before any comes again.
    assertThat(faults(said)).hasSizeGreaterThanOrEqualTo(8);
  }

  private static List<String> faults(List<String> said) {
    return said.stream().filter(line -> line.contains(": trains again after ")).toList();
  }

  private static int chaos(String duration, List<String> said)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Distribution.script("chaos").toString(),
                "--duration",
                duration,
                "--seed",
                SEED,
                "--work-dir",
                Distribution.workDirectory("chaos").toString())
            .redirectErrorStream(true);
    // Maven has built it, and runs this test.
    builder.environment().put("MILLRACE_BUILD", "never");
    Process process = builder.start();
    process.getOutputStream().close();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Figures.tell(line);
        said.add(line);
      }
    }
    return process.waitFor();
  }
}
