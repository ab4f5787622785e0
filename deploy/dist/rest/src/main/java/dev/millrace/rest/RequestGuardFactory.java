package dev.millrace.rest;

import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;

/**
 * Puts a {@link RequestGuard} into each connection to Flink's REST interface. Flink finds this
 * class by {@code ServiceLoader} on the class path of its JobManager.
 */
public final class RequestGuardFactory implements InboundChannelHandlerFactory {

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<ChannelHandler> createHandler(
      Configuration flink, Map<String, String> responseHeaders) {
    return Optional.of(new RequestGuard(OwnHosts.of(flink), responseHeaders));
  }
}
