package dev.millrace.job.rows.files;

import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.RowsOptions;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Found by {@link RowPlace#of}. A topic goes before it: its rows are newer. */
public final class FileRowsProvider implements RowPlace.Provider {

  @Override
  public Optional<RowPlace> place(Configuration options) {
    if (options.contains(RowsOptions.TOPIC)) {
      return Optional.empty();
    }
    return options
        .getOptional(RowsOptions.FILES)
        .map(
            location ->
                new FileRows(
                    SnapshotPlace.of(location).location(),
                    options.getOptional(RowsOptions.DIRECTORY).orElse("")));
  }

  @Override
  public Optional<RowPlace> place(String location) {
    return Optional.of(new FileRows(SnapshotPlace.of(location).location(), ""));
  }
}
