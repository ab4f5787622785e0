package dev.millrace.dl4j.run;

import java.io.File;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * The directories that Flink makes in the process that submits a job, for files that travel with
 * it, and leaves behind. Only directories are packed there, so ours stay empty. Their names tell
 * nothing: those are meant that came while the job was submitted.
 */
public final class CacheDirectories {

  private static final String PREFIX = "flink-distributed-cache-";

  private final File parent;
  private final Set<String> before;
  private final Set<String> made = new TreeSet<>();

  private CacheDirectories(File parent) {
    this.parent = parent;
    this.before = names();
  }

  /** Looks what is there before a job is submitted. */
  public static CacheDirectories before() {
    return in(new File(System.getProperty("java.io.tmpdir")));
  }

  static CacheDirectories in(File parent) {
    return new CacheDirectories(parent);
  }

  /** Looks what is there more, once the job is submitted. */
  public void submitted() {
    made.addAll(names());
    made.removeAll(before);
  }

  /** Deletes it, once the job has ended; what another process has filled meanwhile stays. */
  public void delete() {
    made.removeIf(name -> new File(parent, name).delete());
  }

  /** Returns the names of those that weren't deleted yet. */
  Set<String> made() {
    return made;
  }

  private Set<String> names() {
    String[] names = parent.list((directory, name) -> name.startsWith(PREFIX));
    return new TreeSet<>(Arrays.asList(names == null ? new String[0] : names));
  }
}
