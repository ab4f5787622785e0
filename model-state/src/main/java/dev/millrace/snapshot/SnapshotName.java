package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of one snapshot's files. */
record SnapshotName(ModelVersion version) implements Comparable<SnapshotName> {

  private static final Pattern FILE =
      Pattern.compile("model-(\\d{1,18})\\.(\\d{1,18})\\.(zip|json)");

  /** Empty if the file isn't a snapshot's. */
  static Optional<SnapshotName> ofFile(String file) {
    Matcher matcher = FILE.matcher(file);
    return matcher.matches()
        ? Optional.of(
            new SnapshotName(
                new ModelVersion(
                    Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))))
        : Optional.empty();
  }

  String archive() {
    return "model-" + version + ".zip";
  }

  String description() {
    return "model-" + version + ".json";
  }

  @Override
  public int compareTo(SnapshotName other) {
    return version.compareTo(other.version);
  }
}
