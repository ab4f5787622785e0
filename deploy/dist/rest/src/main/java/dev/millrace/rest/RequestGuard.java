package dev.millrace.rest;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.runtime.rest.FileUploadHandler;
import org.apache.flink.runtime.rest.handler.util.HandlerUtils;
import org.apache.flink.runtime.rest.messages.ErrorResponseBody;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaders;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;

/**
 * Refuses with 403 what a web page of somebody else sends by the browser of a user who can reach
 * the JobManager: requests with an {@code Origin} that isn't the JobManager's own page, and
 * requests for a host that isn't the JobManager. Without it any page could upload a program and run
 * it, since Flink's interface takes forms. Clients that are no browsers name no origin, and are let
 * through.
 */
final class RequestGuard extends ChannelInboundHandlerAdapter {

  private final OwnHosts own;
  private final Map<String, String> responseHeaders;

  RequestGuard(OwnHosts own, Map<String, String> responseHeaders) {
    this.own = own;
    this.responseHeaders = responseHeaders;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof HttpRequest request) {
      Optional<String> reason = refusal(request.headers());
      if (reason.isPresent()) {
        refuse(context, request, reason.get());
        return;
      }
    }
    super.channelRead(context, message);
  }

  private Optional<String> refusal(HttpHeaders headers) {
    List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1 || (hosts.size() == 1 && !own.include(hosts.get(0)))) {
      return Optional.of(
          "The request is for the host %s, which isn't this JobManager's. If it is, add it to %s in Flink's configuration"
              .formatted(hosts, OwnHosts.HOSTS.key()));
    }
    for (String origin : headers.getAll(HttpHeaderNames.ORIGIN)) {
      if (hosts.isEmpty() || !isOf(origin, hosts.get(0))) {
        return Optional.of(
            "The request comes from a page of %s, and this JobManager takes requests of its own page alone"
                .formatted(origin));
      }
    }
    return Optional.empty();
  }

  private static boolean isOf(String origin, String host) {
    return origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host);
  }

  /** Flink has stored a form's files before a request comes here: they are deleted. */
  @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for the answer to be sent.
  private void refuse(ChannelHandlerContext context, HttpRequest request, String reason)
      throws IOException {
    try {
      FileUploadHandler.getMultipartFileUploads(context).close();
      HandlerUtils.sendErrorResponse(
          context,
          request,
          new ErrorResponseBody(reason),
          HttpResponseStatus.FORBIDDEN,
          responseHeaders);
    } finally {
      ReferenceCountUtil.release(request);
    }
  }
}
