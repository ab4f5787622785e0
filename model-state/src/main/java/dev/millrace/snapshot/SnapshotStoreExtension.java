package dev.millrace.snapshot;

import dev.millrace.extension.Extension;

/**
 * Stores of models for URIs of one scheme, which is its name: {@code snapshot.directory} {@code
 * NAME://…} is such a store, wherever a directory of models may stand. The option {@link #LOCATION}
 * is the whole URI; there are no others.
 */
public interface SnapshotStoreExtension extends Extension<SnapshotStore> {

  String LOCATION = "location";
}
