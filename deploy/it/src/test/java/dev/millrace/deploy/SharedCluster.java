package dev.millrace.deploy;

import dev.millrace.local.cluster.Hosts;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands tests one cluster of two JobManagers and three TaskManagers, which lives until all of them
 * have run.
 */
final class SharedCluster implements BeforeAllCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(SharedCluster.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  private static TestCluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent("cluster", any -> start(), TestCluster.class);
  }

  private static TestCluster start() {
    try {
      return TestCluster.start(
          "shared", TestCluster.plan(3, true, TestCluster.shortLived()), Hosts.LOOPBACK);
    } catch (Exception e) {
      throw new IllegalStateException("The cluster didn't start", e);
    }
  }
}
