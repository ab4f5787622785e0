package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;

/**
 * What a pointer file holds: the names of a snapshot's files, which lie beside it. Whoever may
 * write a pointer can name no file elsewhere.
 *
 * @param held whether it stays until a person lets go of it: see {@link Rollback}
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Pointer(String version, String archive, String description, boolean held) {

  /** Names the snapshot to serve. */
  public static final String LATEST = "latest.json";

  /** Names the newest snapshot that is committed. */
  public static final String COMMITTED = "committed.json";

  public Pointer {
    requireBeside(archive);
    requireBeside(description);
  }

  private static void requireBeside(String name) {
    if (name != null && !FileName.isPlain(name)) {
      throw new IllegalArgumentException(
          "a pointer names '%s', and the files of a snapshot lie beside it".formatted(name));
    }
  }

  static Pointer to(SnapshotName name) {
    return new Pointer(name.version().toString(), name.archive(), name.description(), false);
  }

  public String toJson() {
    try {
      return SnapshotDescription.MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A pointer that is no JSON: " + this, e);
    }
  }

  Pointer held(boolean newHeld) {
    return new Pointer(version, archive, description, newHeld);
  }
}
