package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sees to it that the models of one generation come from one writer and those that it has continued
 * from, without a store that can tell who was first: a writer puts a file with its id there and
 * then looks for others. Of two that do so at the same time at least one sees the other, and
 * whoever sees another writes nothing.
 *
 * <p>Files of generations that have models stay, so that it is known whose these are.
 *
 * <p>Not thread-safe.
 */
final class WriterClaim {

  private record Claim(long generation, String writer) {

    private static final Pattern FILE =
        Pattern.compile("writer-(\\d{1,18})-([0-9A-Za-z-]{1,64})\\.json");

    static Optional<Claim> ofFile(String file) {
      Matcher matcher = FILE.matcher(file);
      return matcher.matches()
          ? Optional.of(new Claim(Long.parseLong(matcher.group(1)), matcher.group(2)))
          : Optional.empty();
    }

    String file() {
      return "writer-%s-%s.json".formatted(generation, writer);
    }

    String text() {
      return "{\"generation\":%s,\"writer\":\"%s\"}".formatted(generation, writer);
    }
  }

  private final SnapshotStore store;
  private final Writers writers;
  private final Set<Long> claimed = new HashSet<>();

  /** Later ones of others, which have counted. */
  private final Set<Claim> doubted = new HashSet<>();

  WriterClaim(SnapshotStore store, Writers writers) {
    this.store = store;
    this.writers = writers;
  }

  /** The greatest generation that one of these files claims; -1 where there is none. */
  static long newestGeneration(Collection<String> files) {
    return files.stream()
        .flatMap(file -> Claim.ofFile(file).stream())
        .mapToLong(Claim::generation)
        .max()
        .orElse(-1);
  }

  /**
   * Claims a generation, once. One that a writer has claimed which this one continues from is left
   * as it is: a claim of this attempt's own would shut out the next, which may not know of it.
   *
   * @throws RefusedModelException if another writer has claimed it or a later one
   */
  void require(long generation) throws IOException {
    if (claimed.contains(generation)) {
      return;
    }
    Claim own = new Claim(generation, writers.claimant(generation));
    Collection<Claim> all = claims();
    boolean isClaimed =
        all.stream()
            .anyMatch(
                claim -> claim.generation() == generation && writers.goesOnFrom(claim.writer()));
    if (!isClaimed) {
      store.put(own.file(), file -> Files.writeString(file, own.text()));
      all = claims();
    }
    for (Claim other : all) {
      if (other.generation() >= generation && !writers.has(other.writer())) {
        if (!isClaimed) {
          store.delete(own.file());
        }
        throw new RefusedModelException(
            ("Models of generation %s aren't written to %s, where another job publishes: %s is"
                    + " there. Stop one of the two, or give each a directory of its own. Where the"
                    + " other has ended for good, start this one again: it then takes over")
                .formatted(generation, store.locate(""), other.file()));
      }
    }
    claimed.add(generation);
    deleteOlderThan(generation, all);
  }

  private void deleteOlderThan(long generation, Collection<Claim> claims) throws IOException {
    NavigableSet<ModelVersion> versions = new TreeSet<>(new SnapshotCatalog(store).versions());
    for (Claim claim : claims) {
      // Another's may be of one that is about to write its first model.
      if (claim.generation() < generation
          && (writers.has(claim.writer()) || isOld(claim, versions))
          && versions
              .subSet(
                  new ModelVersion(claim.generation(), 0),
                  new ModelVersion(claim.generation() + 1, 0))
              .isEmpty()) {
        store.delete(claim.file());
      }
    }
  }

  private static boolean isOld(Claim claim, NavigableSet<ModelVersion> versions) {
    return !versions.isEmpty() && claim.generation() < versions.last().generation();
  }

  /** Whether no other writer has claimed a generation. */
  boolean isOwn(long generation) throws IOException {
    return claims().stream()
        .allMatch(claim -> claim.generation() != generation || writers.has(claim.writer()));
  }

  /** Returns the newest generation that this writer has claimed; -1 if it has claimed none. */
  long newest() {
    return claimed.isEmpty() ? -1 : Collections.max(claimed);
  }

  /**
   * Whether another writer has claimed what comes after all of this one's, so that it may be about
   * to point to its first model. Each such claim counts once: its writer may be gone.
   */
  boolean isAboutToBeOvertaken() throws IOException {
    long newest = newest();
    boolean isNews = false;
    for (Claim claim : claims()) {
      if (newest >= 0 && claim.generation() > newest && !writers.has(claim.writer())) {
        isNews |= doubted.add(claim);
      }
    }
    return isNews;
  }

  private Collection<Claim> claims() throws IOException {
    return store.names().stream().flatMap(file -> Claim.ofFile(file).stream()).toList();
  }
}
