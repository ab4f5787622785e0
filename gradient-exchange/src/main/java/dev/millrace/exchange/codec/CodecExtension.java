package dev.millrace.exchange.codec;

import dev.millrace.extension.Extension;

/**
 * Codecs of somebody else's, for {@code exchange.codec.contributions}. All codecs that it makes
 * have its name, and each decodes what any of them has encoded. A receiver makes one without
 * options.
 */
public interface CodecExtension extends Extension<Codec> {}
