package dev.millrace.storage;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.domain.PageSet;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;
import org.jclouds.blobstore.util.ForwardingBlobStore;

/**
 * Objects whose listings may lag behind, as those of some stores that speak S3 do: what was asked
 * for once is answered as before, whatever has been written or deleted since.
 */
public final class LaggingListings extends ForwardingBlobStore {

  private final Map<String, PageSet<? extends StorageMetadata>> old = new ConcurrentHashMap<>();
  private volatile boolean lagging;

  LaggingListings(BlobStore objects) {
    super(objects);
  }

  /** From now on, listings are what they are at their first request. */
  public void lag() {
    lagging = true;
  }

  /** They are up to date again. */
  public void catchUp() {
    lagging = false;
    old.clear();
  }

  @Override
  public PageSet<? extends StorageMetadata> list(String container, ListContainerOptions options) {
    return lagging
        ? old.computeIfAbsent(container + options, asked -> super.list(container, options))
        : super.list(container, options);
  }

  PageSet<? extends StorageMetadata> now(String container, ListContainerOptions options) {
    return super.list(container, options);
  }
}
