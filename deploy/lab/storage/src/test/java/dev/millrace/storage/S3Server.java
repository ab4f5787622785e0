package dev.millrace.storage;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.Configuration;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.ListContainerOptions;
import org.jclouds.logging.slf4j.config.SLF4JLoggingModule;

/**
 * A server of S3 on loopback and a free port, in this process. It keeps objects in memory, checks
 * signatures, and has one bucket. Behind it is a {@link Wire}, which a test may disturb.
 */
public final class S3Server implements AutoCloseable {

  public static final String BUCKET = "millrace";

  private static final String KEY = "a-key";
  private static final String SECRET = "a-secret";

  private final BlobStoreContext context;
  private final LaggingListings objects;
  private final S3Proxy server;
  private final Wire wire;

  private S3Server(BlobStoreContext context, LaggingListings objects, S3Proxy server, Wire wire) {
    this.context = context;
    this.objects = objects;
    this.server = server;
    this.wire = wire;
  }

  public static S3Server start() throws Exception {
    BlobStoreContext context =
        ContextBuilder.newBuilder(new TransientApiMetadata())
            .credentials(KEY, SECRET)
            .modules(List.of(new SLF4JLoggingModule()))
            .build(BlobStoreContext.class);
    BlobStore store = context.getBlobStore();
    store.createContainerInLocation(null, BUCKET);
    LaggingListings objects = new LaggingListings(store);
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(objects)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, KEY, SECRET)
            .ignoreUnknownHeaders(true)
            .build();
    server.start();
    return new S3Server(context, objects, server, Wire.to(server.getPort()));
  }

  /** What Flink is told of it, with the right credentials. */
  public Configuration configuration() {
    Configuration flink = new Configuration();
    flink.setString("s3.endpoint", endpoint());
    flink.setString("s3.path.style.access", "true");
    flink.setString("s3.access-key", KEY);
    flink.setString("s3.secret-key", SECRET);
    return flink;
  }

  public String endpoint() {
    return "http://127.0.0.1:" + wire.port();
  }

  /** A place in its bucket. */
  public String uri(String name) {
    return "s3://" + BUCKET + "/" + name;
  }

  public Wire wire() {
    return wire;
  }

  public LaggingListings listings() {
    return objects;
  }

  /** Names of the objects that are whole there now. */
  public Set<String> names(String directory) {
    Set<String> names = new TreeSet<>();
    for (StorageMetadata object :
        objects.now(BUCKET, ListContainerOptions.Builder.recursive().prefix(directory + "/"))) {
      names.add(object.getName().substring(directory.length() + 1));
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    wire.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException(e);
    }
    context.close();
  }
}
