package dev.millrace.model.testing;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.population.Member;
import dev.millrace.model.population.Population;
import dev.millrace.model.population.PopulationEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Populations of three, whose rates follow, in the place of an engine's built-in networks. */
public final class PopulationTestEngine implements ModelEngine {

  private static final double[] RATES = {0.01, 0.1, 0.001};

  private static final double FOLLOW = 0.02;

  private final PopulationEngine populations = new PopulationEngine();
  private final ModelEngine members;

  /** Of that engine. */
  public PopulationTestEngine(ModelEngine members) {
    this.members = members;
  }

  /** A population of one model several times, with the names of its learning rates. */
  public static InitialModel of(List<InitialModel> models, double... rates) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      members.add(Member.of(models.get(i).spec(), rates[i], null));
    }
    return new Population(0.9, 0.5, FOLLOW, members).begin(models);
  }

  @Override
  public String name() {
    return populations.name();
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    if (!(definition instanceof BuiltIn one)) {
      return populations.define(definition);
    }
    List<InitialModel> models = new ArrayList<>();
    for (int i = 0; i < RATES.length; i++) {
      models.add(
          members.define(
              new BuiltIn(
                  one.name(),
                  one.shape(),
                  one.hidden(),
                  one.image(),
                  one.learning().updater().orElseThrow(),
                  RATES[i],
                  one.learning().momentum().orElseThrow(),
                  one.learning().l2().orElseThrow(),
                  one.seed() + i)));
    }
    return of(models, RATES);
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    return populations.build(spec, device);
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    populations.writeArchive(model, description, file);
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    return populations.readArchive(file);
  }

  @Override
  public boolean givesInputGradients(ModelSpec spec) {
    return populations.givesInputGradients(spec);
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    return populations.describe(kind, configuration);
  }

  @Override
  public List<TensorDescription> tensors(String kind, String configuration) {
    return populations.tensors(kind, configuration);
  }
}
