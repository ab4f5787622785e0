package dev.millrace.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.StrictJson;
import java.io.IOException;
import java.util.Optional;

/**
 * A model that a person has put back, and that is served until a person lets go of it: see {@link
 * Rollback}. It is in a file of its own that jobs never write, so that no publication which is
 * under way can take its place; readers look at it before they look at a pointer.
 *
 * @param version of the model
 * @param archive name of its file
 * @param description name of its file
 * @param committed whether readers of committed models are given it, too; they get none where it
 *     isn't
 */
public record Hold(String version, String archive, String description, boolean committed) {

  /** Name of the file. */
  public static final String FILE = "held.json";

  public Hold {
    if (version == null || archive == null || description == null) {
      throw new IllegalArgumentException("version, archive or description is missing");
    }
    // A pointer refuses names that lead elsewhere.
    pointer(version, archive, description);
  }

  static Hold of(SnapshotDescription snapshot) {
    SnapshotName name = new SnapshotName(snapshot.version());
    return new Hold(
        snapshot.version().toString(),
        name.archive(),
        name.description(),
        snapshot.state() == SnapshotState.COMMITTED);
  }

  /** Returns what is served instead of what a pointer names; empty where nothing is. */
  Optional<Pointer> insteadOf(String pointer) {
    return pointer.equals(Pointer.COMMITTED) && !committed
        ? Optional.empty()
        : Optional.of(pointer(version, archive, description));
  }

  private static Pointer pointer(String version, String archive, String description) {
    return new Pointer(version, archive, description, true);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException if it is no hold; the message doesn't name it
   */
  static Hold fromJson(String json) throws IOException {
    try {
      Hold hold = SnapshotDescription.MAPPER.readValue(json, Hold.class);
      if (hold == null) {
        throw new IOException("version, archive or description is missing");
      }
      ModelVersion.parse(hold.version());
      return hold;
    } catch (JsonProcessingException e) {
      throw new IOException(StrictJson.reason(e), e);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  String toJson() {
    try {
      return SnapshotDescription.MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A hold that is no JSON: " + this, e);
    }
  }
}
