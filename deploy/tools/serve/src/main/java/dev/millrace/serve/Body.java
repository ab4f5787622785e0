package dev.millrace.serve;

/**
 * What a request sends.
 *
 * @param length of it; what the array has behind it is none of it
 * @param jsonLength the bytes of JSON, behind which binary data may stand
 */
record Body(byte[] bytes, int length, int jsonLength) {}
