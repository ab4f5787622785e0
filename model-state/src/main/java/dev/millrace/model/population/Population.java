package dev.millrace.model.population;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a population is made of. Its vector is [members' parameters | a loss of each member | the
 * rate shift, if rates follow | members' updater states]. Losses and rate shift count as running
 * statistics: replicas average them, and no optimizer steps them.
 *
 * @param discount share that a member's loss keeps with each example, above 0 and below 1
 * @param sharpness how fast a member's weight falls with its loss: {@code exp(-sharpness * L)} of
 *     the discounted sum L of losses (Herbster and Warmuth 1998)
 * @param follow how fast learning rates follow the better members, see {@link RateShift}; 0 for not
 *     at all
 * @param members at least one, all of one size
 */
public record Population(
    double discount,
    double sharpness,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double follow,
    List<Member> members) {

  private static final JsonMapper MAPPER =
      StrictJson.mapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  public Population {
    if (!(discount > 0 && discount < 1) || !(sharpness >= 0) || Double.isInfinite(sharpness)) {
      throw new IllegalArgumentException(
          "A population can't discount losses by %s and weigh them by %s"
              .formatted(discount, sharpness));
    }
    if (!(follow >= 0 && follow <= 1)) {
      throw new IllegalArgumentException(
          "Learning rates follow the better members by 0 to 1, not by %s".formatted(follow));
    }
    members = List.copyOf(members);
    if (members.isEmpty()) {
      throw new IllegalArgumentException("A population has at least one member");
    }
    for (Member member : members) {
      Member first = members.get(0);
      if (member.parameters() != first.parameters()
          || member.updaterState() != first.updaterState()) {
        throw new IllegalArgumentException(
            "Members are of one size, not of %s and %s parameters and %s and %s values of state"
                .formatted(
                    first.parameters(),
                    member.parameters(),
                    first.updaterState(),
                    member.updaterState()));
      }
    }
  }

  /**
   * Reads the population of a spec.
   *
   * @param configuration as {@link ModelSpec#configuration()}
   * @throws InvalidModelException if it is of no population
   */
  public static Population fromJson(String configuration) {
    try {
      StrictJson.requireRoom(configuration);
      return require(MAPPER.readValue(configuration, Population.class));
    } catch (IOException | RuntimeException e) {
      throw new InvalidModelException("The configuration is of no population: " + Reason.of(e), e);
    }
  }

  private static Population require(Population readOrNull) throws IOException {
    if (readOrNull == null) {
      throw new IOException("it is null");
    }
    return readOrNull;
  }

  String toJson() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A population is numbers and text", e);
    }
  }

  /** Parameters of all members, their losses, and the rate shift. */
  int parameters() {
    return Math.addExact(lossesTo(), rateShifts());
  }

  /** Returns where the losses end in the vector, and the rate shift begins, if there is one. */
  int lossesTo() {
    return Math.addExact(lossesFrom(), members.size());
  }

  /** Returns how many values of rate shift there are: one or none. */
  int rateShifts() {
    return follow > 0 ? 1 : 0;
  }

  /** Returns where the losses begin in the vector. */
  int lossesFrom() {
    return Math.multiplyExact(members.size(), members.get(0).parameters());
  }

  /** Returns where a member's parameters begin in the vector. */
  int parametersFrom(int member) {
    return member * members.get(0).parameters();
  }

  /** Returns where a member's updater state begins in the vector. */
  int stateFrom(int member) {
    return parameters() + member * members.get(0).updaterState();
  }

  /** Returns the spec of a model of examples of that shape. */
  ModelSpec spec(ExampleShape shape) {
    List<IndexRange> nonNegative = new ArrayList<>();
    List<IndexRange> statistics = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      for (IndexRange range : members.get(i).nonNegative()) {
        nonNegative.add(shifted(i, range));
      }
      for (IndexRange range : members.get(i).runningStatistics()) {
        statistics.add(shifted(i, range));
      }
    }
    nonNegative.add(new IndexRange(lossesFrom(), lossesTo()));
    statistics.add(new IndexRange(lossesFrom(), parameters()));
    return new ModelSpec(
        PopulationEngine.NAME,
        "%s of %s".formatted(members.size(), members.get(0).kind()),
        toJson(),
        shape,
        parameters(),
        Math.multiplyExact(members.size(), members.get(0).updaterState()),
        nonNegative,
        statistics);
  }

  /** A range of a member's vector in the population's: none has both parameters and state. */
  private IndexRange shifted(int member, IndexRange range) {
    int parameters = members.get(member).parameters();
    int by = range.from() < parameters ? parametersFrom(member) : stateFrom(member) - parameters;
    return new IndexRange(range.from() + by, range.to() + by);
  }

  /**
   * A population as a job begins with it, whose members have learned nothing together yet.
   *
   * @param models of the members, in their order; what they know of features is the first one's
   */
  public InitialModel begin(List<InitialModel> models) {
    return begin(models, new float[members.size() + rateShifts()], ServerOptimizerState.NONE);
  }

  /**
   * Begins a population with what was kept of one.
   *
   * @param statistics losses, and the rate shift if there is one
   */
  InitialModel begin(
      List<InitialModel> models, float[] statistics, ServerOptimizerState serverOptimizer) {
    InitialModel first = models.get(0);
    ModelSpec spec = spec(first.spec().shape());
    float[] vector =
        HeapRoom.floats(spec.vectorLength(), "A population of %s".formatted(members.size()));
    for (int i = 0; i < models.size(); i++) {
      put(i, models.get(i).vector(), vector);
    }
    System.arraycopy(statistics, 0, vector, lossesFrom(), statistics.length);
    return new InitialModel(
        spec, vector, first.iteration(), first.learnedOrNull(), serverOptimizer);
  }

  /** Copies a member's vector, or its parameters alone, into the population's. */
  void put(int member, float[] of, float[] vector) {
    int parameters = members.get(member).parameters();
    System.arraycopy(of, 0, vector, parametersFrom(member), parameters);
    if (of.length > parameters) {
      System.arraycopy(of, parameters, vector, stateFrom(member), of.length - parameters);
    }
  }

  /**
   * A copy of a member's part of a population's vector.
   *
   * @param vector all of it, or the parameters alone
   */
  float[] part(int member, float[] vector) {
    Member one = members.get(member);
    boolean whole = vector.length > parameters();
    float[] part = new float[one.parameters() + (whole ? one.updaterState() : 0)];
    System.arraycopy(vector, parametersFrom(member), part, 0, one.parameters());
    if (whole) {
      System.arraycopy(vector, stateFrom(member), part, one.parameters(), one.updaterState());
    }
    return part;
  }
}
