package dev.millrace.job.testing;

import java.net.URI;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** This machine's files under another scheme, as those of an object store are. */
public final class ElsewhereFileSystem implements FileSystemFactory {

  public static final String SCHEME = "elsewhere";

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public FileSystem create(URI uri) {
    return LocalFileSystem.getSharedInstance();
  }
}
