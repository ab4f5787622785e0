package dev.millrace.job.rows.files;

import dev.millrace.job.rows.CopiedPlace;
import dev.millrace.job.rows.RowFeed;
import java.io.IOException;

/**
 * The directory that rows are published in.
 *
 * @param location a path or a URI
 * @param directory of the copy, kept from start to start; empty for a temporary one
 */
public record FileRows(String location, String directory) implements CopiedPlace {

  /** Whether rows were published in a directory. One that can't be looked at isn't known to be. */
  public static boolean isUsed(String location) {
    try {
      return RowDirectory.open(location).manifest().isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public String name() {
    return location;
  }

  @Override
  public RowFeed follow(String stands) throws IOException {
    return new RowFilesFeed(
        RowDirectory.open(location),
        location,
        stands,
        RowFilesFeed.LOOK_MILLIS,
        RowFilesFeed.MOST_BYTES);
  }

  @Override
  public String toString() {
    return "the directory " + location;
  }
}
