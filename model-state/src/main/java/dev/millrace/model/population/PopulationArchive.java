package dev.millrace.model.population;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.TemporaryFiles;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip with an archive of each member, in its own engine's format, and what they are together.
 *
 * @param file what they are together
 * @param members a file of each one's archive, for as long as this is open
 * @param serverOptimizer none where the archive has no such entry
 * @param descriptionOrNull of the snapshot
 * @param directory that the files are in
 */
record PopulationArchive(
    PopulationFile file,
    List<Path> members,
    ServerOptimizerState serverOptimizer,
    String descriptionOrNull,
    Path directory)
    implements AutoCloseable {

  private static final String SERVER_OPTIMIZER = "millrace/serverOptimizer.bin";
  private static final int BUFFER = 1 << 16;

  /** Writes a model whole. The members' archives have no descriptions of their own. */
  static void write(GlobalModel model, Optional<String> description, Path to) throws IOException {
    Population population = Population.fromJson(model.spec().configuration());
    PopulationFile file = PopulationFile.of(population, model.vector(), model.iteration());
    Path member = TemporaryFiles.file("millrace-member-", ".zip");
    try (ZipOutputStream zip =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(to)));
        DataOutputStream out = new DataOutputStream(zip)) {
      // Weights don't get smaller by compression, only late.
      zip.setLevel(Deflater.NO_COMPRESSION);
      zip.putNextEntry(new ZipEntry(PopulationFile.ENTRY));
      zip.write(file.write());
      List<String> entries = file.entries();
      for (int i = 0; i < entries.size(); i++) {
        GlobalModel one = model.member(file.member(i, model.spec().shape(), model.vector()));
        ModelEngine.named(one.spec().engine()).writeArchive(one, member);
        zip.putNextEntry(new ZipEntry(entries.get(i)));
        Files.copy(member, zip);
      }
      if (!model.serverOptimizer().isEmpty()) {
        zip.putNextEntry(new ZipEntry(SERVER_OPTIMIZER));
        ServerOptimizerState.WIRE.write(model.serverOptimizer(), out);
      }
      if (description.isPresent()) {
        zip.putNextEntry(new ZipEntry(ModelEngine.DESCRIPTION_ENTRY));
        zip.write(description.get().getBytes(StandardCharsets.UTF_8));
      }
    } finally {
      Files.deleteIfExists(member);
    }
  }

  /**
   * Opens an archive, and copies its members' to files.
   *
   * @throws IOException if it can't be read or is damaged; the message doesn't name it
   */
  static PopulationArchive open(Path archive) throws IOException {
    Path directory = TemporaryFiles.directory("millrace-population-");
    List<Path> members = new ArrayList<>();
    try (ArchiveEntries entries = ArchiveEntries.open(archive)) {
      PopulationFile file = PopulationFile.read(entries.require(PopulationFile.ENTRY));
      // Members aren't compressed, so together they are no longer than all.
      long left = Files.size(archive);
      for (String name : file.entries()) {
        if (!entries.has(name)) {
          throw new IOException("it has no entry " + name);
        }
        members.add(directory.resolve(name));
        left -= copy(entries, name, left, members.get(members.size() - 1));
      }
      return new PopulationArchive(
          file,
          members,
          entries.has(SERVER_OPTIMIZER)
              ? entries.read(
                  SERVER_OPTIMIZER,
                  in -> ServerOptimizerState.read(in, file.population().parameters()))
              : ServerOptimizerState.NONE,
          entries
              .bytes(ModelEngine.DESCRIPTION_ENTRY)
              .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
              .orElse(null),
          directory);
    } catch (IOException | RuntimeException | Error e) {
      delete(members, directory);
      throw e;
    }
  }

  private static long copy(ArchiveEntries entries, String name, long most, Path to)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(to)) {
      Long copied =
          entries.read(
              name,
              in -> {
                byte[] buffer = new byte[BUFFER];
                long length = 0;
                for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                  length += read;
                  if (length > most) {
                    throw new IOException("members are longer together than the archive");
                  }
                  out.write(buffer, 0, read);
                }
                return length;
              });
      if (copied == 0) {
        throw new IOException("its entry %s is empty".formatted(name));
      }
      return copied;
    }
  }

  private static void delete(List<Path> members, Path directory) throws IOException {
    for (Path member : members) {
      Files.deleteIfExists(member);
    }
    Files.delete(directory);
  }

  @Override
  public void close() throws IOException {
    delete(members, directory);
  }
}
