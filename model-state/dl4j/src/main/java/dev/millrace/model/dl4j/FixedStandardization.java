package dev.millrace.model.dl4j;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.Standardization;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.deeplearning4j.util.ModelSerializer;

/** A standardization that somebody has fitted before, and that training doesn't change. */
public final class FixedStandardization {

  /** So many examples were seen that none of those to come moves a mean: a power of 2 is exact. */
  private static final long COUNT = 1L << 50;

  private FixedStandardization() {}

  /** Adds it to an archive that DL4J has written and that has no normalizer. */
  public static void add(Path archive, Standardization standardization) throws IOException {
    int width = standardization.mean().length;
    double[] mean = new double[width];
    double[] deviation = new double[width];
    for (int i = 0; i < width; i++) {
      mean[i] = standardization.mean()[i];
      deviation[i] = standardization.scale()[i];
    }
    try (FileSystem zip = FileSystems.newFileSystem(archive)) {
      Files.write(zip.getPath(ModelSerializer.NORMALIZER_BIN), Normalizers.write(standardization));
      Path statistics = zip.getPath(Dl4jArchive.STATISTICS_ENTRY);
      Files.createDirectories(statistics.getParent());
      try (DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(statistics)))) {
        FeatureStatistics.WIRE.write(FeatureStatistics.of(COUNT, mean, deviation), out);
      }
    }
  }
}
