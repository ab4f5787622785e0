package dev.millrace.serve;

import dev.millrace.serve.Signature.OutputTensor;

/**
 * An output to answer with.
 *
 * @param binary whether as bytes behind the JSON
 */
record WantedOutput(OutputTensor tensor, boolean binary) {}
