package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.model.ModelImporter;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.ModelImport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes an archive of a model that Keras has saved. */
@Command(
    name = "import",
    header = "Makes an archive to start from of a Keras model.",
    description = {
      "",
      "Reads what model.save(\"model.h5\") of Keras 1 and 2 writes, with its optimizer and loss, and"
          + " prints the options for training it further. docs/guides/models.md explains more.",
      "  millrace import --from model.h5 --to model.zip",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class)
final class ImportCommand implements Callable<Integer> {

  @Spec private CommandSpec command;

  @Option(
      names = "--from",
      paramLabel = "FILE",
      required = true,
      description = "A Keras model in HDF5, such as model.h5.")
  private Path from;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      required = true,
      description = "The archive to write, such as model.zip.")
  private Path to;

  @Option(names = "--force", description = "Replace the archive if it is there already.")
  private boolean force;

  @Override
  public Integer call() throws IOException {
    if (!force && Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(
          "%s is there already; name another file, or replace it with --force".formatted(to));
    }
    ModelImport imported = ModelImport.run(importer(), from, to, force);
    ExampleShape shape = imported.spec().shape();
    command
        .commandLine()
        .getOut()
        .printf(
            Locale.ROOT,
            "%s is in %s (%s, %,d parameters). To train it further:%n"
                + "  %s: %s%n  %s: %d%n  %s: %d%n  %s: %s%n",
            from,
            to,
            imported.spec().kind(),
            imported.spec().parameters(),
            ModelOptions.ARCHIVE.key(),
            to.toAbsolutePath().normalize(),
            InputOptions.FEATURES.key(),
            shape.features(),
            InputOptions.OUTPUTS.key(),
            shape.outputs(),
            InputOptions.TARGET.key(),
            shape.target());
    return 0;
  }

  private static ModelImporter importer() {
    return ModelImporter.find()
        .orElseThrow(
            () ->
                new UnusableEngineException(
                    "What reads Keras models isn't on the class path: the jars of opt/keras, which"
                        + " bin/millrace adds for this command. Get that folder back from the"
                        + " distribution; where you start Java yourself, add opt/keras/*"));
  }
}
