/** TorchScript modules as ONNX nodes, by the code in their archives. */
package dev.millrace.onnx.torch;
