package dev.millrace.model.population;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Populations as an engine, on top of the engines of their members. It makes no models of its own:
 * {@link Population#begin} does.
 */
public final class PopulationEngine implements ModelEngine {

  /** Name of the engine. */
  public static final String NAME = "population";

  private static final String LOSSES = "population.losses";
  private static final String RATE_SHIFT = "population.rateShift";

  /** The shape in specs that only kind and configuration are taken of. */
  private static final ExampleShape ANY_SHAPE = new ExampleShape(1, 1, Target.REGRESSION);

  @Override
  public String name() {
    return NAME;
  }

  /** Defines a model by the archive of a population, whose members keep their learning rates. */
  @Override
  public InitialModel define(ModelDefinition definition) {
    if (!(definition instanceof ModelDefinition.Archive archive)) {
      throw new InvalidModelException(
          "A population is made of models of another engine; name that engine");
    }
    if (archive.learning().learningRate().isPresent()) {
      throw new InvalidModelException(
          ("The archive %s is a population, whose members keep their learning rates; leave the"
                  + " learning rate out")
              .formatted(archive.file()));
    }
    try (PopulationArchive opened = PopulationArchive.open(archive.file())) {
      List<InitialModel> models = new ArrayList<>();
      List<Member> members = new ArrayList<>();
      for (Path file : opened.members()) {
        Member member = opened.file().population().members().get(models.size());
        InitialModel model =
            ModelEngine.named(member.engine())
                .define(new ModelDefinition.Archive(file, archive.shape(), archive.learning()));
        models.add(model);
        members.add(member.with(model.spec()));
      }
      Population kept = opened.file().population();
      return new Population(kept.discount(), kept.sharpness(), kept.follow(), members)
          .begin(models, opened.file().statistics(), opened.serverOptimizer());
    } catch (IOException | InvalidModelException | IllegalArgumentException e) {
      throw unreadable(archive.file(), e);
    }
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    Population population = Population.fromJson(spec.configuration());
    return new PopulationReplica(spec, population, Members.build(population, spec.shape(), device));
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    PopulationArchive.write(model, description, file);
  }

  @Override
  public Optional<ModelMembers> members() {
    return Optional.of(new PopulationMembers());
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    try (PopulationArchive opened = PopulationArchive.open(file)) {
      Population population = opened.file().population();
      float[] vector = null;
      ArchivedModel first = null;
      for (int i = 0; i < opened.members().size(); i++) {
        Member member = population.members().get(i);
        ArchivedModel one = ModelEngine.named(member.engine()).readArchive(opened.members().get(i));
        first = i == 0 ? one : first;
        requireSize(one, first, member);
        vector = i == 0 ? room(population, one) : vector;
        population.put(i, one.vector(), vector);
      }
      float[] statistics = opened.file().statistics();
      System.arraycopy(statistics, 0, vector, population.lossesFrom(), statistics.length);
      ModelSpec spec = population.spec(ANY_SHAPE);
      return new ArchivedModel(
          spec.kind(),
          spec.configuration(),
          first.iteration(),
          population.parameters(),
          vector,
          first.learnedOrNull(),
          opened.serverOptimizer(),
          opened.descriptionOrNull());
    } catch (IOException | InvalidModelException | IllegalArgumentException e) {
      throw unreadable(file, e);
    }
  }

  private static float[] room(Population population, ArchivedModel member) {
    boolean withState = member.vector().length > member.parameters();
    return HeapRoom.floats(
        withState ? population.spec(ANY_SHAPE).vectorLength() : population.parameters(),
        "A population of %s".formatted(population.members().size()));
  }

  private static void requireSize(ArchivedModel one, ArchivedModel first, Member member)
      throws IOException {
    int state = one.vector().length - one.parameters();
    if (one.parameters() != member.parameters()
        || one.vector().length != first.vector().length
        || (state != 0 && state != member.updaterState())) {
      throw new IOException(
          "a member has %s parameters and %s values of updater state, where %s and %s belong"
              .formatted(one.parameters(), state, member.parameters(), member.updaterState()));
    }
  }

  private static InvalidModelException unreadable(Path file, Exception e) {
    String cause = Reason.of(e);
    return new InvalidModelException(
        "The model archive %s can't be read as a population: %s".formatted(file, cause), e);
  }

  /** Describes the layers of each member, behind its number, and the losses. */
  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    Population population = Population.fromJson(configuration);
    List<LayerDescription> all = new ArrayList<>();
    for (int i = 0; i < population.members().size(); i++) {
      Member member = population.members().get(i);
      int by = population.parametersFrom(i);
      for (LayerDescription layer :
          ModelEngine.named(member.engine()).describe(member.kind(), member.configuration())) {
        IndexRange own = layer.parameters();
        all.add(
            new LayerDescription(
                name(i, layer.name()),
                layer.type(),
                new IndexRange(own.from() + by, own.to() + by),
                layer.updater()));
      }
    }
    all.add(
        new LayerDescription(
            LOSSES, "Losses", new IndexRange(population.lossesFrom(), population.lossesTo()), ""));
    if (population.rateShifts() > 0) {
      IndexRange shift = new IndexRange(population.lossesTo(), population.parameters());
      all.add(new LayerDescription(RATE_SHIFT, "Rate shift", shift, ""));
    }
    return all;
  }

  @Override
  public List<TensorDescription> tensors(String kind, String configuration) {
    Population population = Population.fromJson(configuration);
    List<TensorDescription> all = new ArrayList<>();
    for (int i = 0; i < population.members().size(); i++) {
      Member member = population.members().get(i);
      for (TensorDescription tensor :
          ModelEngine.named(member.engine()).tensors(member.kind(), member.configuration())) {
        all.add(
            new TensorDescription(
                name(i, tensor.name()),
                tensor.shape(),
                tensor.from() + population.parametersFrom(i)));
      }
    }
    long members = population.members().size();
    all.add(new TensorDescription(LOSSES, List.of(members), population.lossesFrom()));
    if (population.rateShifts() > 0) {
      all.add(new TensorDescription(RATE_SHIFT, List.of(1L), population.lossesTo()));
    }
    return all;
  }

  static String name(int member, String part) {
    return "member-%s.%s".formatted(member, part);
  }

  @Override
  public boolean recognizes(ArchiveEntries archive) {
    return archive.has(PopulationFile.ENTRY);
  }

  @Override
  public boolean takesIds(ModelSpec spec) {
    return saysTheFirst(spec, ModelEngine::takesIds);
  }

  @Override
  public boolean givesInputGradients(ModelSpec spec) {
    return saysTheFirst(spec, ModelEngine::givesInputGradients);
  }

  /** Says it of its members: a population keeps running losses beside them. */
  @Override
  public boolean normalizesBatches(ModelSpec spec) {
    return saysTheFirst(spec, ModelEngine::normalizesBatches);
  }

  private static boolean saysTheFirst(
      ModelSpec spec, BiPredicate<ModelEngine, ModelSpec> question) {
    Member first = Population.fromJson(spec.configuration()).members().get(0);
    return question.test(ModelEngine.named(first.engine()), first.spec(spec.shape()));
  }

  /** Says it as long as any of its members learns. */
  @Override
  public boolean learnsAfter(ModelSpec spec, long iteration) {
    return Population.fromJson(spec.configuration()).members().stream()
        .anyMatch(
            member ->
                ModelEngine.named(member.engine())
                    .learnsAfter(member.spec(spec.shape()), iteration));
  }

  /** Returns the shape that its members tell. */
  @Override
  public ExampleShape shapeOf(Path file) {
    try (PopulationArchive opened = PopulationArchive.open(file)) {
      Member first = opened.file().population().members().get(0);
      return ModelEngine.named(first.engine()).shapeOf(opened.members().get(0));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }
}
