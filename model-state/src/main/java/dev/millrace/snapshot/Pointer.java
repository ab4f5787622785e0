package dev.millrace.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.StrictJson;
import java.io.IOException;

/**
 * What a pointer file holds: the names of a snapshot's files, which lie beside it. Whoever may
 * write a pointer can name no file elsewhere.
 *
 * @param held whether a person has put the snapshot back: see {@link Hold}
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

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException if it is no pointer; the message doesn't name it
   */
  static Pointer fromJson(String json) throws IOException {
    Pointer pointer;
    try {
      pointer = SnapshotDescription.MAPPER.readValue(json, Pointer.class);
      if (pointer != null && pointer.version != null) {
        ModelVersion.parse(pointer.version);
      }
    } catch (JsonProcessingException e) {
      throw new IOException(StrictJson.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (pointer == null
        || pointer.version == null
        || pointer.archive == null
        || pointer.description == null) {
      throw new IOException("version, archive or description is missing");
    }
    return pointer;
  }

  public String toJson() {
    try {
      return SnapshotDescription.MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A pointer that is no JSON: " + this, e);
    }
  }
}
