package dev.millrace.model.population;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;

/** A population's replicas, by their engines. */
final class Members {

  private Members() {}

  /** Builds all or none. */
  static List<ModelReplica> build(Population population, ExampleShape shape, DeviceRequest device) {
    List<ModelReplica> members = new ArrayList<>();
    try {
      for (Member member : population.members()) {
        members.add(ModelEngine.named(member.engine()).build(member.spec(shape), device));
      }
      return members;
    } catch (RuntimeException | Error e) {
      close(members);
      throw e;
    }
  }

  /** Closes all, whatever becomes of any of them. */
  static void close(List<ModelReplica> members) {
    RuntimeException failure = null;
    for (ModelReplica member : members) {
      try {
        member.close();
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
