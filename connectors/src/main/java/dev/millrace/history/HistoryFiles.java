package dev.millrace.history;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.DefaultFileFilter;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.connector.file.src.enumerate.NonSplittingRecursiveAllDirEnumerator;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Finds files: one, all below a directory, or those whose path matches a pattern such as {@code
 * /data/orders-*.jsonl}. Each is a split of its own, called by its path, so that the order in a
 * file is kept. Hidden and empty ones are left out.
 */
public final class HistoryFiles implements FileEnumerator {

  private static final String PATTERN = ".*[*?\\[{].*";

  /** Returns the paths that are given, for processes that are in another directory. */
  public static List<Path> places(Collection<String> given) {
    List<Path> places = new ArrayList<>();
    for (String text : given) {
      Path place = new Path(text);
      boolean relative = place.toUri().getScheme() == null && !place.isAbsolute();
      places.add(
          relative ? new Path(java.nio.file.Path.of(text).toAbsolutePath().toString()) : place);
    }
    return places;
  }

  /**
   * Finds the files in the order in which they are begun: that of their paths.
   *
   * @throws IOException if there is none at one of the places, or it can't be looked at
   */
  public static List<FileSourceSplit> find(Collection<Path> places) throws IOException {
    TreeMap<String, FileSourceSplit> found = new TreeMap<>();
    for (Path place : places) {
      List<FileSourceSplit> here = find(place);
      if (here.isEmpty()) {
        throw new FileNotFoundException(
            "There is no file with records at %s. Correct the path".formatted(place));
      }
      here.forEach(file -> found.put(file.splitId(), file));
    }
    return List.copyOf(found.values());
  }

  @Override
  public Collection<FileSourceSplit> enumerateSplits(Path[] places, int minDesiredSplits)
      throws IOException {
    return find(List.of(places));
  }

  private static List<FileSourceSplit> find(Path place) throws IOException {
    FileSystem system = place.getFileSystem();
    boolean pattern = place.getPath().matches(PATTERN) && !system.exists(place);
    Path base = pattern ? base(place) : place;
    if (!system.exists(base)) {
      return List.of();
    }
    Predicate<Path> wanted = new DefaultFileFilter();
    if (pattern) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + place.getPath());
      wanted = wanted.and(file -> matcher.matches(java.nio.file.Path.of(file.getPath())));
    }
    List<FileSourceSplit> files = new ArrayList<>();
    for (FileSourceSplit file :
        new NonSplittingRecursiveAllDirEnumerator(wanted).enumerateSplits(new Path[] {base}, 1)) {
      if (file.fileSize() > 0) {
        files.add(named(file));
      }
    }
    return files;
  }

  /** Returns the directory above the first name with a pattern. */
  private static Path base(Path place) {
    Path base = place;
    while (base.getPath().matches(PATTERN)) {
      base = base.getParent();
    }
    return base;
  }

  private static FileSourceSplit named(FileSourceSplit file) {
    return new FileSourceSplit(
        file.path().toString(),
        file.path(),
        0,
        file.length(),
        file.fileModificationTime(),
        file.fileSize());
  }
}
