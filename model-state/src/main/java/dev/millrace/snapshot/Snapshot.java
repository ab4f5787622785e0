package dev.millrace.snapshot;

import dev.millrace.model.ModelVersion;
import java.nio.file.Path;

/** Where a snapshot lies. */
public record Snapshot(ModelVersion version, Path archive, Path description) {}
