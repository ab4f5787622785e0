package dev.millrace.snapshot;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import java.nio.file.Path;
import java.util.List;

/** An engine that writes archives and can do nothing else. */
interface WritingEngine extends ModelEngine {

  @Override
  default String name() {
    return "test";
  }

  @Override
  default InitialModel define(ModelDefinition definition) {
    throw new UnsupportedOperationException();
  }

  @Override
  default ModelReplica build(ModelSpec spec, DeviceRequest device) {
    throw new UnsupportedOperationException();
  }

  @Override
  default ArchivedModel readArchive(Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  default List<LayerDescription> describe(String kind, String configuration) {
    throw new UnsupportedOperationException();
  }
}
