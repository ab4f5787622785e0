package dev.millrace.exchange.flink.replica;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.externalresource.ExternalResourceInfo;

/**
 * The GPUs that Flink has found for a TaskManager. It tells every operator of the TaskManager about
 * all of them; which operator takes which is left to these.
 */
public final class AllottedDevices {

  /** The resource's name in {@code external-resources} and {@code external-resource.gpu.*}. */
  public static final String RESOURCE = "gpu";

  /** What Flink's GPU driver calls what the discovery script printed. */
  private static final String NAME = "index";

  private AllottedDevices() {}

  /**
   * Names of the devices, as the discovery script printed them; none where the cluster has no such
   * resource.
   */
  public static List<String> names(Collection<ExternalResourceInfo> resources) {
    return resources.stream()
        .map(resource -> resource.getProperty(NAME))
        .flatMap(Optional::stream)
        .map(String::strip)
        .sorted()
        .toList();
  }
}
