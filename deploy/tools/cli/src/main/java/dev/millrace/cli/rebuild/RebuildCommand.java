package dev.millrace.cli.rebuild;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.FileSystems;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.rebuild.LogChain;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.AtomicFile;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Makes a model again from the records that it learned, in the order in which it did. */
@Command(
    name = "rebuild",
    header = "Makes any version of a model again, bit for bit.",
    description = {
      "",
      "Reads the training log of a job (rebuild.log) and the records that it names, and does again"
          + " what the job's replicas did, in one process, without Flink.",
      "  millrace rebuild 2.1500 --config train.yaml --to model-2.1500.zip",
      "  millrace rebuild 2.1500 --config train.yaml --verify",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:made, and the same as what was published, where that was asked",
      "1:it couldn't be made",
      "2:wrong usage",
      "3:another model than what was published"
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
public final class RebuildCommand extends JobOptionsCommand {

  private static final int DIFFERENT = 3;

  @Parameters(paramLabel = "VERSION", description = "Version of the model, as in latest.json.")
  private String version;

  @Option(names = "--to", paramLabel = "FILE", description = "The archive to write.")
  private Path to;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description = "State of the job on the way to begin at; without one it begins with the job.")
  private String from;

  @Option(
      names = "--verify",
      description = "Compares each version on the way with those in snapshot.directory.")
  private boolean verify;

  @Override
  public Integer call() throws Exception {
    ModelVersion wanted = parse();
    Configuration options = jobOptions();
    if (verify && !options.contains(SnapshotOptions.DIRECTORY)) {
      throw new ParameterException(
          command().commandLine(), "snapshot.directory is missing; --verify compares with it");
    }
    try (AtomicFile file = to == null ? null : AtomicFile.create(to, false)) {
      return rebuild(options, wanted, file);
    }
  }

  private int rebuild(Configuration options, ModelVersion wanted, AtomicFile fileOrNull)
      throws Exception {
    FileSystems.initialize();
    Verification verification = verification(options, wanted);
    long begun = System.nanoTime();
    GlobalModel model =
        StopSignal.install().during(() -> make(new RebuildJob(options), wanted, verification));
    Optional<Verification.Difference> difference = verification.difference();
    if (difference.isPresent()) {
      say(difference.get().toString());
      return DIFFERENT;
    }
    tell(model, System.nanoTime() - begun);
    tell(ModelDigest.of(write(model, fileOrNull)));
    if (verify) {
      say(
          "Each bit is as it was published, here and in %s versions before"
              .formatted(verification.same() - 1));
      if (verification.gone() > 0) {
        say(
            "%s more were removed meanwhile: %s says how many stay"
                .formatted(verification.gone(), SnapshotOptions.KEEP.key()));
      }
    }
    return 0;
  }

  private Verification verification(Configuration options, ModelVersion wanted) throws IOException {
    return verify
        ? Verification.of(
            new PublishedModels(SnapshotPlace.of(options.get(SnapshotOptions.DIRECTORY)).open()),
            wanted,
            Math.toIntExact(options.get(ExchangeOptions.BLOCK_SIZE).getBytes() / Float.BYTES))
        : Verification.NONE;
  }

  private ModelVersion parse() {
    try {
      return ModelVersion.parse(version);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command().commandLine(), e.getMessage(), e);
    }
  }

  private GlobalModel make(RebuildJob job, ModelVersion wanted, Verification verification)
      throws IOException {
    LogChain chain = LogChain.to(wanted, job.log());
    try (ReadingLine line = new ReadingLine(command().commandLine().getErr())) {
      Set<ModelVersion> lasting = chain.lasting();
      return job.make(
          chain,
          from == null ? Optional.empty() : Optional.of(RebuildJob.saved(from)),
          (version, done, all, model) -> {
            line.rounds(done, all);
            // Of those before a record was forgotten other models were published.
            return !verification.isOf(version)
                || !lasting.contains(version)
                || isSame(verification, model.get());
          });
    }
  }

  private static boolean isSame(Verification verification, GlobalModel model) {
    try {
      return verification.isSame(model);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the archive as it is read again: what is compared has been through a file, too. */
  private static ArchivedModel write(GlobalModel model, AtomicFile fileOrNull) throws IOException {
    if (fileOrNull != null) {
      ArchivedModel written = write(model, fileOrNull.unfinished());
      fileOrNull.commit();
      return written;
    }
    Path file = TemporaryFiles.file("millrace-rebuilt-", ".zip");
    try {
      return write(model, file);
    } finally {
      Files.delete(file);
    }
  }

  private static ArchivedModel write(GlobalModel model, Path file) throws IOException {
    ModelEngine engine = ModelEngine.named(model.spec().engine());
    engine.writeArchive(model, description(model), file);
    return engine.readArchive(file);
  }

  private static Optional<String> description(GlobalModel model) {
    return Optional.of(SnapshotDescription.of(model, Optional.empty(), Instant.now()).toJson());
  }

  private void tell(GlobalModel model, long nanos) {
    say(
        String.format(
            Locale.ROOT,
            "Model %s is made again, of %,d records, in %.1f s",
            model.version(),
            model.ledger().learnedCount(),
            nanos * 1e-9));
  }

  private void tell(ModelDigest digest) {
    say("  parameters     " + digest.parameters());
    say("  updater state  " + digest.updaterState());
    say("  features       " + digest.features());
  }

  private void say(String line) {
    command().commandLine().getOut().println(line);
  }
}
