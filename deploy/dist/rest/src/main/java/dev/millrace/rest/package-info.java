/** Keeps other people's web pages away from Flink's REST interface, which takes programs to run. */
package dev.millrace.rest;
