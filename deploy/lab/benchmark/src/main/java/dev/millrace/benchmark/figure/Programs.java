package dev.millrace.benchmark.figure;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.Checkout;
import dev.millrace.benchmark.stack.ChildProcess;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.benchmark.workload.WorkloadData;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One program, with DL4J's ParallelWrapper and with Millrace's: {@code fit} of an iterator over
 * Fashion-MNIST, each start in a new process.
 */
public final class Programs {

  private static final Map<String, String> TITLES = titles();
  private static final List<String> FIGURES = List.of("first", "second", "steady", "accuracy");
  private static final String WRAPPER = "dl4j";
  private static final int PASSES = 7;
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final Lab lab;
  private final Set<String> wanted;
  private final ExampleSet data;

  /**
   * Opens the data.
   *
   * @param wanted names of workloads; those of images where it is empty
   * @param directory with the four files of Fashion-MNIST
   */
  public Programs(Lab lab, Set<String> wanted, Path directory) throws IOException {
    this.lab = lab;
    this.wanted = wanted;
    this.data = DataSpec.parse("idx:" + directory).open();
  }

  private static Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put(WRAPPER, "DL4J's ParallelWrapper");
    titles.put("millrace", "Millrace's ParallelWrapper");
    return titles;
  }

  public void measure() throws IOException {
    Page page = lab.page("programs", "Programs of DL4J");
    page.paragraph(
        """
        Examples per second of one program, which calls `fit` with an iterator over Fashion-MNIST \
        in memory: two workers, averaging every third minibatch. A pass has 60,000 examples (LeNet: \
        12,000). The first \
        `fit` is the first of its process: of Millrace the start of the embedded Flink is in it. \
        The second starts a job, too. In the steady state %s passes follow each other; the \
        first third of them isn't counted. Accuracy is that on 10,000 examples held out, after all \
        passes. Medians of %s turns, with minimum and maximum.\
        """
            .formatted(PASSES, lab.repetitions()));
    for (Workload workload : Workload.all()) {
      boolean image = workload.shape().features() == 28 * 28;
      if (image && (wanted.isEmpty() || wanted.contains(workload.name()))) {
        measure(page, workload);
      }
    }
    page.write();
  }

  private void measure(Page page, Workload workload) throws IOException {
    Path files = lab.directory("programs").resolve(workload.name());
    PeerFiles.write(
        workload, WorkloadData.of(data.training()).examples(), files.resolve("training"));
    PeerFiles.writeHoldOut(
        WorkloadData.of(data.holdOut()).examples(), workload.batch(), files.resolve("hold-out"));
    Map<String, Map<String, Samples>> found = new LinkedHashMap<>();
    for (int turn = 0; turn < lab.repetitions(); turn++) {
      for (String program : TITLES.keySet()) {
        JsonNode said = run(program, workload, files);
        lab.say("%s: %s: %s".formatted(workload.title(), TITLES.get(program), said));
        Map<String, Samples> figures = found.computeIfAbsent(program, any -> new LinkedHashMap<>());
        for (String figure : FIGURES) {
          figures.computeIfAbsent(figure, any -> new Samples()).add(said.get(figure).asDouble());
        }
      }
    }
    report(page, workload, found);
  }

  private JsonNode run(String program, Workload workload, Path files) {
    boolean slow = workload.name().startsWith("lenet");
    List<String> command =
        List.of(
            "java",
            "-Xmx4g",
            "-cp",
            classPath(lab.checkout()),
            "dev.millrace.benchmark.program.ProgramMain",
            program,
            files.resolve("training").toString(),
            Long.toString(lab.scaled(slow ? 12_000 : 60_000)),
            Integer.toString(PASSES),
            files.resolve("hold-out").toString());
    return ProcessContender.json(
        new ChildProcess(files, ProcessContender.ONE_THREAD).run(program, LIMIT, command));
  }

  private static String classPath(Checkout checkout) {
    return checkout.classPath("deploy/lab/benchmark/programs");
  }

  private static void report(
      Page page, Workload workload, Map<String, Map<String, Samples>> found) {
    page.heading(workload.title());
    Table table =
        new Table(
            "", "first fit", "of DL4J's", "second", "of DL4J's", "steady", "of DL4J's", "accuracy");
    found.forEach(
        (program, figures) -> {
          String title = TITLES.get(program);
          Map<String, Samples> others = found.get(WRAPPER);
          table.row(
              title,
              Figures.range(figures.get("first")),
              ratio(figures, others, "first"),
              Figures.range(figures.get("second")),
              ratio(figures, others, "second"),
              Figures.range(figures.get("steady")),
              ratio(figures, others, "steady"),
              String.format(Locale.ROOT, "%.4f", figures.get("accuracy").median()));
          figures.forEach(
              (figure, samples) ->
                  page.samples(
                      "%s, %s, %s".formatted(workload.title(), title, figure), "", samples));
        });
    page.table(table);
  }

  private static String ratio(
      Map<String, Samples> figures, Map<String, Samples> others, String figure) {
    return Figures.ratio(figures.get(figure).median() / others.get(figure).median());
  }
}
