package dev.millrace.model.population;

import dev.millrace.model.ModelReplica;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The vectors of a population's members as one, see {@link Population}.
 *
 * <p>Belongs to the thread of the members.
 */
final class MemberVectors {

  /**
   * What lies in a range of the vector.
   *
   * @param member whose; null for the losses
   * @param start of it in the member's vector
   */
  private record Part(ModelReplica member, int from, int to, int start) {}

  private final List<Part> parts = new ArrayList<>();
  private final float[] losses;
  private final int length;

  MemberVectors(Population population, List<ModelReplica> members, float[] losses) {
    this.losses = losses;
    int parameters = population.members().get(0).parameters();
    int state = population.members().get(0).updaterState();
    for (int i = 0; i < members.size(); i++) {
      add(members.get(i), population.parametersFrom(i), parameters, 0);
    }
    add(null, population.lossesFrom(), losses.length, 0);
    for (int i = 0; i < members.size(); i++) {
      add(members.get(i), population.stateFrom(i), state, parameters);
    }
    this.length = parts.get(parts.size() - 1).to();
  }

  private void add(ModelReplica member, int from, int size, int start) {
    parts.add(new Part(member, from, from + size, start));
  }

  /** As {@link ModelReplica#read}. */
  void read(int from, float[] target, int offset, int count) {
    check(from, count, target, offset);
    for (Part part : parts) {
      int begin = Math.max(from, part.from());
      int size = Math.min(from + count, part.to()) - begin;
      if (size > 0) {
        int inPart = part.start() + begin - part.from();
        int at = offset + begin - from;
        if (part.member() == null) {
          System.arraycopy(losses, inPart, target, at, size);
        } else {
          part.member().read(inPart, target, at, size);
        }
      }
    }
  }

  /** As {@link ModelReplica#write}. */
  void write(int from, float[] source, int offset, int count) {
    check(from, count, source, offset);
    for (Part part : parts) {
      int begin = Math.max(from, part.from());
      int size = Math.min(from + count, part.to()) - begin;
      if (size > 0) {
        int inPart = part.start() + begin - part.from();
        int at = offset + begin - from;
        if (part.member() == null) {
          System.arraycopy(source, at, losses, inPart, size);
        } else {
          part.member().write(inPart, source, at, size);
        }
      }
    }
  }

  /** Before anything is changed. */
  private void check(int from, int count, float[] array, int offset) {
    Objects.checkFromIndexSize(from, count, length);
    Objects.checkFromIndexSize(offset, count, array.length);
  }
}
