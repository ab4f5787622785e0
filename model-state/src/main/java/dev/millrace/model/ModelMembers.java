package dev.millrace.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * Answers what is asked about models that are made of several. Each member is a model of another
 * engine, and together they predict the mean of what they predict, by their weights.
 *
 * <p>No answer needs a member's engine, or its libraries.
 */
public interface ModelMembers {

  /**
   * Finds who answers for the models of an engine; empty where each of them is one model, or no
   * engine of that name is on the class path.
   *
   * @param engine as in {@link ModelSpec#engine()}
   */
  static Optional<ModelMembers> of(String engine) {
    return ServiceLoader.load(ModelEngine.class, ModelEngine.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(known -> known.name().equals(engine))
        .findFirst()
        .flatMap(ModelEngine::members);
  }

  /**
   * Returns the names of all engines that a reader of the archive hands a part of it to. Who trusts
   * them may read the archive.
   *
   * @throws IOException if it can't be read, or isn't of such a model
   */
  Set<String> engines(Path archive) throws IOException;

  /**
   * Reports on each member, in their order. Copies no member's vector.
   *
   * @param configuration as in {@link ModelSpec#configuration()}
   * @param vector of the model, or its parameters alone
   */
  List<MemberReport> report(String configuration, float[] vector);

  /**
   * Returns all members as models of their own, in their order.
   *
   * @param vector of the model, or its parameters alone; each member has a copy of its part
   */
  List<WeightedMember> models(ModelSpec spec, float[] vector);

  /**
   * Returns the member that counts most, as a model of its own: the first one of several.
   *
   * @param vector of the model, or its parameters alone; the member has a copy of its part
   */
  WeightedMember best(ModelSpec spec, float[] vector);
}
