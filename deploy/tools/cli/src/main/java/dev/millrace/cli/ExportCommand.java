package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.NumberText;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.console.StoreWait;
import dev.millrace.cli.console.TrustedKeyArguments;
import dev.millrace.cli.models.ModelCard;
import dev.millrace.cli.models.ModelExport;
import dev.millrace.cli.models.RuntimeExport;
import dev.millrace.cli.models.StoredModel;
import dev.millrace.cli.rows.RowsExport;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelExporter.Version;
import dev.millrace.snapshot.AtomicFile;
import dev.millrace.snapshot.TrustedKeys;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Takes the model out of a savepoint or checkpoint. */
@Command(
    name = "export",
    header = "Takes the model out of a savepoint or checkpoint.",
    description = {
      "",
      "The savepoint alone is enough: no cluster, no broker, no options of its job. The archive is"
          + " the engine's own: DL4J's, which its ModelSerializer loads, or TorchScript's, which"
          + " torch.jit.load does.",
      "  millrace export --from millrace-work/train/savepoints/savepoint-1a2b3c --to model.zip",
      "",
      "For programs that only predict, --format onnx, triton and mlflow write the features'"
          + " standardization, too. docs/internals/onnx.md says which networks can be written.",
      "  millrace export --from model.zip --to model.onnx --format onnx",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class ExportCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(
      names = "--from",
      paramLabel = "PATH",
      required = true,
      description =
          "A savepoint or a checkpoint that was kept, of any kind: its directory or its file"
              + " _metadata; for --format safetensors, onnx, triton, mlflow and card an archive, too.")
  private String from;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      required = true,
      description =
          "The file to write, such as model.zip; for --format triton the model's directory in a"
              + " model repository, such as models/flowers; for mlflow a directory that isn't there"
              + " yet.")
  private Path to;

  @Option(
      names = "--format",
      defaultValue = "archive",
      description =
          "${COMPLETION-CANDIDATES}: the engine's own archive (default); that of PyTorch, where the"
              + " model is of the engine torch; the parameters by name alone, for tools that read"
              + " safetensors; a graph from raw features to predictions, for ONNX runtimes; the"
              + " next version in a model repository of Triton, as ONNX; a model that MLflow"
              + " loads, with an ONNX graph; or a model card, README.md of Hugging Face.")
  private ModelExport.Format format;

  @Option(
      names = "--average",
      description =
          "Take the moving average of the parameters, for serving, in the place of the newest"
              + " parameters and their updater state. Its job kept one with"
              + " exchange.ema.half-life.")
  private boolean average;

  @Option(
      names = "--member",
      defaultValue = "all",
      description =
          "${COMPLETION-CANDIDATES}: of a population all members, as one archive (default); or the"
              + " one that counts most, as a model of its own engine.")
  private ModelExport.Members members;

  @Option(
      names = "--follow",
      description =
          "With --format triton, of a directory of published models: adds each that is published,"
              + " until the command is stopped.")
  private boolean follow;

  @Option(names = "--force", description = "Replace the file if it is there already.")
  private boolean force;

  @Mixin private TrustedKeyArguments trusted;

  @Override
  public Integer call() throws Exception {
    if (!force && Files.exists(to) && !Files.isDirectory(to)) {
      throw new RunFailedException("%s is there already; --force replaces it".formatted(to));
    }
    if (format == ModelExport.Format.MLFLOW && Files.exists(to)) {
      throw new RunFailedException(
          "%s is there already; name a directory that isn't, since MLflow may be reading it"
              .formatted(to));
    }
    if (follow && format != ModelExport.Format.TRITON) {
      throw new ParameterException(
          command.commandLine(),
          "--follow adds versions to a model repository; use it with --format triton");
    }
    if (follow && average) {
      throw new ParameterException(
          command.commandLine(),
          "--follow takes models as they are published, with the average where the job publishes"
              + " that (snapshot.parameters); leave --average out");
    }
    TrustedKeys keys = trusted.keys();
    StopSignal interrupt = StopSignal.install();
    FileSystems.initialize();
    if (follow) {
      follow(interrupt, keys);
      return interrupt.exitCode().join();
    }
    if (format == ModelExport.Format.CARD) {
      writeCard(interrupt, keys);
      return 0;
    }
    if (format.isForRuntimes()) {
      exportForRuntimes(interrupt, keys);
      return 0;
    }
    long begun = System.nanoTime();
    ModelExport export;
    try (ReadingLine line = new ReadingLine(command.commandLine().getErr())) {
      export =
          interrupt.during(
              () ->
                  StoreWait.during(
                      from,
                      command.commandLine().getErr(),
                      () ->
                          ModelExport.run(from, to, force, average, members, format, keys, line)));
    }
    PrintWriter out = command.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s of the %s is in %s (%s, %.1f s)%n",
        export.model() == null ? "The model" : "Model " + export.model().version(),
        export.kind(),
        to,
        NumberText.size(export.bytes()),
        (System.nanoTime() - begun) / 1e9);
    for (RowsExport.Written table : export.rows()) {
      out.printf(
          Locale.ROOT,
          "%,d rows of table '%s' are in %s (%s)%n",
          table.rows(),
          table.table(),
          table.file(),
          NumberText.size(table.bytes()));
    }
    if (format == ModelExport.Format.SAFETENSORS) {
      out.println("Its parameters alone; to train on, export an archive");
      return 0;
    }
    if (average) {
      out.println(
          "A moving average of the parameters, without updater state, for serving; to train on,"
              + " export without --average");
    } else if (export.lacksUpdaterState()) {
      out.println(
          "Without updater state: its job keeps that in the replicas (exchange.average-updater"
              + " is off)");
    }
    if (!export.model().serverOptimizer().isEmpty()) {
      out.printf(
          Locale.ROOT,
          "With the server optimizer's state, %,d values%n",
          export.model().serverOptimizer().size());
    }
    return 0;
  }

  private void writeCard(StopSignal interrupt, TrustedKeys keys) throws Exception {
    PrintWriter err = command.commandLine().getErr();
    String card =
        interrupt.during(
            () ->
                ModelCard.of(
                    StoreWait.during(from, err, () -> StoredModel.open(from, keys).inspect())));
    try (AtomicFile file = AtomicFile.create(to, force)) {
      Files.writeString(file.unfinished(), card);
      file.commit();
    }
    command.commandLine().getOut().println("The model's card is in " + to);
  }

  private void follow(StopSignal interrupt, TrustedKeys keys) throws InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    new FollowedExport(from, to, members, keys)
        .run(
            interrupt.exitCode(),
            version -> {
              tell(
                  "Version %s of the model".formatted(version.number()),
                  version.file(),
                  version.agreement());
              out.flush();
            },
            why -> {
              err.println(why);
              err.flush();
            });
  }

  private void exportForRuntimes(StopSignal interrupt, TrustedKeys keys) throws Exception {
    RuntimeExport export;
    try (ReadingLine line = new ReadingLine(command.commandLine().getErr())) {
      export =
          interrupt.during(
              () ->
                  StoreWait.during(
                      from,
                      command.commandLine().getErr(),
                      () -> RuntimeExport.of(from, average, members, keys, line)));
    }
    if (format == ModelExport.Format.TRITON) {
      Version version = interrupt.during(() -> export.toRepository(to));
      tell(
          "Version %s of the model".formatted(version.number()),
          version.file(),
          version.agreement());
    } else if (format == ModelExport.Format.MLFLOW) {
      tell("The model for MLflow", to, interrupt.during(() -> export.toMlflow(to)));
    } else {
      tell("The model", to, interrupt.during(() -> export.toFile(to, force)));
    }
  }

  private void tell(String what, Path file, Agreement agreement) {
    command
        .commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%s is in %s. ONNX Runtime predicts with it as its engine does: for %d random examples"
                + " within %.1e, where %.1e is allowed%n",
            what,
            file,
            agreement.rows(),
            agreement.difference(),
            agreement.bound());
  }
}
